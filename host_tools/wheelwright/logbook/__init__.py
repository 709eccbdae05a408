"""The records of every table of a house: taken, kept, searched, proved and handed on."""
