"""The only code that touches hardware; `main.py` picks one board's package and hands it to the table."""
