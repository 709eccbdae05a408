"""All that a scene may know about the table."""


class View:
    """Plain values, kept up to date by the table.

    phase, test     as on the wire
    pointer         section under the clapper while the wheel turns, -1 when not known
    section         section of the last counted spin, -1 when there is none to show
    symbol          what is on that section
    multiplier      of the running round, 1 until a bonus spin
    respin          why the last spin was void and is repeated, "" when it was not
    tilt            lowest open tilt, 0 when there is none
    refused         code of the last refused button while it is shown, else 0
    """

    def __init__(self) -> None:
        self.phase = "BOOT"
        self.test = True
        self.pointer = self.section = -1
        self.symbol = self.respin = ""
        self.multiplier = 1
        self.tilt = self.refused = 0
