"""Digit displays, tower light and button lamps. Digits hold four characters that seven segments can show."""

BLINK_MS = 1024

_RESULT = {
    "BOOT": "boot", "SELF_TEST": "SELF", "READY": "rEdY", "TEST": "rEdY", "BETS_OPEN": "bEtS", "NO_MORE_BETS": "StoP",
    "SPINNING": "", "BONUS": "bonu", "SERVICE": "SErU",
}  # fmt: skip
_RESPIN = {"SHORT_SPIN": "Shor", "BETWEEN_SECTIONS": "PEG", "FAULT": "Err", "DEALER_VOID": "Uoid"}
_TOWER = {
    "BETS_OPEN": "bets", "NO_MORE_BETS": "spin", "SPINNING": "spin", "BONUS": "bonus", "RESULT": "result",
    "SETTLED": "result", "SERVICE": "service", "TILT": "tilt", "BOOT": "off", "SELF_TEST": "off",
}  # fmt: skip
START, NO_MORE_BETS, VOID = 1, 2, 4  # as the buttons' bits
_LAMPS = {
    "READY": START, "TEST": START, "BETS_OPEN": NO_MORE_BETS | VOID, "NO_MORE_BETS": VOID, "SPINNING": VOID,
    "RESULT": START | VOID, "SETTLED": START | VOID,
}  # fmt: skip


def number(value: int) -> str:
    """A number for four digits; one that does not fit is four bars, never another number."""
    return str(value) if value < 10000 else "----"


def digits(view, index: int, now_ms: int) -> str:
    """The text of a display: 0 result or state, 1 multiplier or a refused button's code; "" is dark.

    In test mode display 0 says `tESt` every other second, so no photograph of a result can hide it for long.
    """
    if index == 1:
        if view.refused:
            return str(view.refused)
        return number(view.multiplier) if view.multiplier > 1 else ""
    if index:
        return ""
    if view.test and now_ms & BLINK_MS:
        return "tESt"
    if view.phase == "TILT":
        return "t-%d" % view.tilt
    if view.phase == "RESULT" or view.phase == "SETTLED":
        return view.symbol
    if view.respin and (view.phase == "NO_MORE_BETS" or view.phase == "BONUS"):
        return _RESPIN.get(view.respin, "Err")
    return _RESULT.get(view.phase, "")


def tower(view) -> str:
    """State of the tower light."""
    state = _TOWER.get(view.phase, "idle")
    return "alert" if view.alert and state not in ("tilt", "service") else state


def lamps(view) -> int:
    """Bits of the dealer's buttons that would do something now."""
    return _LAMPS.get(view.phase, 0) | view.asked
