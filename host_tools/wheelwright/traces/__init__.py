"""Recordings of a wheel: read, taken from a table, run through the sensing core, drawn."""
