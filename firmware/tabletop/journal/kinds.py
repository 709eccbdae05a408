"""The kinds of journal records. What each carries is in `tabletop.journal.fields`."""

BOOT = 1
ROUND_OPENED = 2
WAGERS = 3
BETS_CLOSED = 4
SPIN_STARTED = 5
SPIN = 6
SETTLED = 7
ROUND_CLOSED = 8
ROUND_VOIDED = 9
DISPUTE = 10
TILT = 11
TILT_CLEARED = 12
TIME_SET = 13
ANCHOR = 14
MODE = 15
SERVICE = 16
SELF_TEST = 17
TORN = 18
