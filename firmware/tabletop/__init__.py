"""Tabletop: the firmware of a casino wheel table. Pure packages here run unchanged on CPython too."""

VERSION = "0.1.0"
