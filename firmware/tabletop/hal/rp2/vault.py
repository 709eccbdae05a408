"""The sector with the secret of the hidden values, before somebody comes who can read all of the flash."""

from wheel_build import REGIONS

from tabletop.hal.rp2.store import PAGE, Store


def bare() -> None:
    """The secret is overwritten, by zeros that tell the next start of the table that somebody was there."""
    start, size = REGIONS["secret"]
    Store(start - REGIONS["files"][0], size).program(0, bytes(PAGE))
