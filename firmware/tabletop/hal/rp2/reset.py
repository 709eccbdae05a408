"""Why the chip started, and how it is started again on purpose.

`machine.reset()` and a watchdog bite look alike to the port, so a breadcrumb of our own lies in a watchdog scratch
word, which a watchdog reset keeps and a power cut or the RUN pin clears (field case 50).
"""

import machine

from tabletop.hal.rp2.registers import CHIP_RESET, HAD_RUN_PIN, KEPT, WATCHDOG_SCRATCH0, WATCHDOG_SCRATCH1

CRUMB = 0x57480000  # "WH"
MARK = 0x05480000  # below 2^30, so that marking a task allocates nothing
FAULTED = 0x100  # the start before this one ended in a fault
DIPS = 0x05490000  # below 2^30
STEADY_MS = 60_000  # a table that ran so long did not pull its supply down
MOST_DIPS = 3  # in a row; then the LEDs stay off (field case 46)
RUNNING = 1
REASONS = ("", "WATCHDOG", "HOST", "CONSOLE", "UPDATE", "FAULT", "OTHER")  # 1 is left while the table runs
LONGEST_MS = 8388  # the counter has 24 bits and loses two a microsecond (erratum RP2040-E1)


def reason() -> str:
    """Why this start: POWER_ON, RUN_PIN, or one of REASONS. Read once; the crumb says RUNNING from then on."""
    crumb = machine.mem32[WATCHDOG_SCRATCH0]
    code = crumb & 0xFF
    again = FAULTED if code == REASONS.index("FAULT") else 0
    machine.mem32[WATCHDOG_SCRATCH0] = CRUMB | again | RUNNING
    if crumb & 0xFFFF0000 == CRUMB and 0 < code < len(REASONS):
        return REASONS[code]
    return "RUN_PIN" if machine.mem32[CHIP_RESET] & HAD_RUN_PIN else "POWER_ON"


def mark(number: int) -> None:
    """Leaves the number of the task that runs, for the start after a watchdog bite."""
    machine.mem32[WATCHDOG_SCRATCH1] = MARK | number


def marked() -> int:
    """The task that ran when the chip was reset; 0 when nothing tells."""
    crumb = machine.mem32[WATCHDOG_SCRATCH1]
    return crumb & 0xFF if crumb & 0xFFFF0000 == MARK else 0


def settled() -> None:
    """The table runs: a fault from now on is a first one."""
    machine.mem32[WATCHDOG_SCRATCH0] = CRUMB | RUNNING


def faulted_before() -> bool:
    """Whether this start came after a fault and has not settled."""
    return bool(machine.mem32[WATCHDOG_SCRATCH0] & FAULTED)


def console_asked() -> bool:
    """Whether the last reset was to give the prompt instead of the table; forgets it."""
    if machine.mem32[WATCHDOG_SCRATCH0] == CRUMB | REASONS.index("CONSOLE"):
        machine.mem32[WATCHDOG_SCRATCH0] = 0
        return True
    return False


def dips(reason: str) -> int:
    """How many starts in a row, this one included, came after a dip of the supply; asked once a start.

    The chip calls a brown-out a power-on, but in a dip its memory outlives the power: only moments were without.
    """
    mem = machine.mem32
    count = mem[KEPT] & 0xFF
    if reason != "POWER_ON" or mem[KEPT] != DIPS | count or mem[KEPT + 4] != DIPS | count:
        count = 0
    else:
        count = min(count + 1, 255)
    _keep_dips(count)
    return count


def steady() -> None:
    """The table has run for STEADY_MS: the next dip is a first one."""
    _keep_dips(0)


def _keep_dips(count: int) -> None:
    for at in (KEPT, KEPT + 4):  # twice, as memory that faded may hold anything
        machine.mem32[at] = DIPS | count


def restart(why: str) -> None:
    """Starts the chip anew; the next start tells `why`. For UPDATE it starts in its boot loader."""
    code = REASONS.index(why) if why in REASONS else len(REASONS) - 1
    machine.mem32[WATCHDOG_SCRATCH0] = CRUMB | code
    if why == "UPDATE":  # whoever talks to the boot loader can read the flash
        from tabletop.hal.rp2 import vault

        vault.bare()
        machine.bootloader()
    machine.reset()


class Watchdog:
    """Sleeps until it is fed for the first time, so that a long self-test is not bitten; then it cannot be stopped."""

    def __init__(self, timeout_ms: int):
        if not 1000 <= timeout_ms <= LONGEST_MS:
            raise ValueError("watchdog_ms is %d, but must be a whole number from 1000 to %d" % (timeout_ms, LONGEST_MS))
        self.timeout_ms = timeout_ms
        self._dogs: list = []

    def feed(self) -> None:
        if not self._dogs:
            self._dogs.append(machine.WDT(timeout=self.timeout_ms))
        self._dogs[0].feed()
