"""Runs before `main.py`. Nothing to do: what a table stores is never mounted, made or formatted at start-up."""
