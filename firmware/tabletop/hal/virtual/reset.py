"""How a virtual chip ends what it is doing: a reset, which `main.py` starts anew after, or a power cut."""

POWER_CUT = 75  # exit code of a process whose power was cut on order


class Reset(BaseException):
    """The chip restarts; not an Exception, so that no part of the table can swallow it."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def power_cut():
    """The process ends at once; what was written to the store is all that is left."""
    raise SystemExit(POWER_CUT)
