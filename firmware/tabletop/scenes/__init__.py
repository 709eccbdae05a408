"""What the lamps show: the state of the table in, LED frames and digit texts out.

A scene is a function of a View and a time in ms. It decides nothing, remembers nothing, and draws into buffers that
it is given; whatever a lamp shows is in the journal already.
"""


class View:
    """All that a scene may know: plain values, kept up to date by the table.

    phase, test     as on the wire
    pointer         section under the clapper while the wheel turns, -1 when not known
    section         section of the last counted spin, -1 when there is none to show
    symbol          what is on that section
    multiplier      of the running round, 1 until a bonus spin
    respin          why the last spin was void and is repeated, "" when it was not
    tilt            lowest open tilt, 0 when there is none
    alert           the draws look odd: the monitor wants somebody to look
    start           the START button would do the obvious next thing of a bonus game
    refused         code of the last refused button while it is shown, else 0
    """

    def __init__(self) -> None:
        self.phase = "BOOT"
        self.test = True
        self.pointer = self.section = -1
        self.symbol = self.respin = ""
        self.multiplier = 1
        self.tilt = self.refused = 0
        self.alert = False
        self.asked = 0  # bits of the buttons that the game waits for
