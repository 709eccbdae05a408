"""The table's phases, the one table of allowed transitions, and when each command is taken."""

IDLE = ("READY", "TEST")  # TEST is READY of a table in test mode
IN_ROUND = ("BETS_OPEN", "NO_MORE_BETS", "BONUS", "RESULT")  # where a resumed round can stand
AWAITS_SPIN = ("NO_MORE_BETS", "BONUS")  # a spin counts only when it begins here

TRANSITIONS = {
    "BOOT": ("SELF_TEST", "TILT"),
    "SELF_TEST": IDLE + IN_ROUND + ("SERVICE", "TILT"),
    "READY": ("BETS_OPEN", "TEST", "SELF_TEST", "SERVICE", "TILT"),
    "TEST": ("BETS_OPEN", "READY", "SELF_TEST", "SERVICE", "TILT"),
    "BETS_OPEN": IDLE + ("NO_MORE_BETS", "RESULT", "TILT"),
    "NO_MORE_BETS": IDLE + ("SPINNING", "BONUS", "RESULT", "TILT"),
    "SPINNING": ("RESULT", "BONUS", "NO_MORE_BETS", "TILT"),
    "BONUS": ("SPINNING", "RESULT", "TILT"),
    "RESULT": ("SETTLED", "TILT"),
    "SETTLED": IDLE + ("BETS_OPEN", "TILT"),
    "TILT": IDLE + IN_ROUND + ("SERVICE",),
    "SERVICE": IDLE + IN_ROUND + ("SELF_TEST", "TILT"),
}  # fmt: skip

# command: (phases in which it is taken, what to do instead)
COMMANDS = {
    "OPEN_BETS": (IDLE + ("SETTLED",), "finish the round that is open, then open the next"),
    "WAGER": (("BETS_OPEN",), "open bets first"),
    "NO_MORE_BETS": (("BETS_OPEN",), "open bets first; in a round, bets are closed once"),
    "VOID": (
        ("BETS_OPEN", "NO_MORE_BETS", "SPINNING", "RESULT", "SETTLED"),
        "void a round before its first result, or a spin while the wheel turns",
    ),
    "SETTLE": (("RESULT",), "settle when a result is shown"),
    "TEST_MODE": (IDLE + ("SERVICE",), "change the mode between rounds"),
    "SELF_TEST": (IDLE + ("SERVICE",), "run the self-test between rounds or in service"),
    "RESTART": (IDLE + ("SERVICE", "TILT"), "finish or void the round, then restart"),
    "RNG_RAW": (IDLE, "ask between rounds"),
    "RNG_OUTCOMES": (IDLE, "ask between rounds"),
    "CONFIGURE": (("SERVICE",), "turn the service key between rounds"),
    "CORRECT": (("SERVICE",), "turn the service key between rounds"),
    "CLEAR_TILT": (("TILT", "SERVICE"), "only a tilt can be cleared"),
    "BEGIN": (("NO_MORE_BETS",), "close the bets first; a bonus game begins once"),
    "CHOOSE": (IN_ROUND, "choose in a bonus game"),
    "PRESS": (IN_ROUND, "press in a bonus game"),
    "GIVE": (IN_ROUND, "open a round first"),
}
# Play, that is: what a tilt stops.
PLAY = ("OPEN_BETS", "WAGER", "NO_MORE_BETS", "VOID", "SETTLE", "TEST_MODE", "BEGIN", "CHOOSE", "PRESS", "GIVE")


def refusal(command: str, phase: str, tilts) -> "tuple | None":
    """Why `command` is not taken now: (code, detail), or None when it is. Commands of no phase are always taken.

    `tilts` are the numbers of the open tilts.
    """
    if tilts and command in PLAY:
        return 4002, {"tilt": min(tilts)}
    if command not in COMMANDS or phase in COMMANDS[command][0]:
        return None
    if command == "WAGER" and phase in ("NO_MORE_BETS", "SPINNING", "BONUS", "RESULT"):
        return 3006, {}
    return 4001, {"command": command, "phase": phase, "advice": COMMANDS[command][1]}
