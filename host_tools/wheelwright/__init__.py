"""Wheelwright: the host tool for casino wheel tables: plays, watches, logs, verifies and replays."""

from tabletop import VERSION

__version__: str = VERSION
