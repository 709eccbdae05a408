"""Random numbers for a laboratory: taken from a table, tested, reported."""
