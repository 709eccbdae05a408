"""What a table of wagers on cards or dice shows: the step that is due, wagers and seats, and the meter."""

PAGE_MS = 1024  # how long one of several numbers is shown before the next
_STEPS = {"CARDS": "CArd", "VALIDATE": "UALi", "HOLE": "HoLE", "DRAW": "drAU", "BEGIN": "dEAL", "COUNT": "Coun"}


def dollars(mills: int) -> str:
    """A meter for eight digits: dollars and cents, as many as are whole; without cents where they do not fit."""
    whole, cents = divmod(mills // 10, 100)
    if whole < 1000000:
        return "%d.%02d" % (whole, cents)
    return str(whole) if whole < 100000000 else "--------"


def text(view, base: str, state: "dict | None", mills: int, index: int, now_ms: int) -> str:
    """What a display says: 0 the step, 1 wagers, seat or Dynamic Pays, 2 the meter. `base` as `panel.digits`.

    mills  what the meter shows, -1 for none
    """
    if index == 2:
        return dollars(mills) if mills >= 0 else ""
    if state is None or base == "tESt" or view.phase not in ("BETS_OPEN", "NO_MORE_BETS", "BONUS", "RESULT"):
        return base
    shaker = state["phase"] == "BEGIN" and state.get("start", 0) < 0
    if index == 0 and shaker:
        return {"": "PUSH" if state["seat"] else "SELE", "SHAKING": "roLL", "SHAKEN": "diCE"}[state["shake"]]
    if index == 0:
        return "donE" if view.phase == "RESULT" else _STEPS.get(state["phase"], base)
    if view.refused:
        return base
    if state["phase"] == "VALIDATE":
        return "S-%d" % [win[0] for win in state["wins"] if win[-1] < 2][0]
    if shaker and state["seat"]:
        return "S-%d" % state["seat"]
    raised = state.get("dynamic")
    if raised:
        result, odds = raised[now_ms // PAGE_MS % len(raised)]
        return "%d-%d" % (_ranks(result), odds)
    return str(len(state["bets"]))


def _ranks(result: str) -> int:
    """Four-of-a-kind of one colour is 1, of any 2; three-of-a-kind of one colour 3, of any 4."""
    return (1 if result[:4] == "four" else 3) + (result[-1] != ")")


def seats(state: dict) -> list:
    """The seats whose lamps are lit: those with a wager, the one of the shaker, those with an open win."""
    if state["phase"] == "VALIDATE":
        return [win[0] for win in state["wins"] if win[-1] < 2]
    if state["phase"] == "BEGIN" and state.get("seat"):
        return [state["seat"]] if state["start"] < 0 else []  # whose button starts the shaker
    return [bet[0] for bet in state["bets"]] if state["phase"] not in ("DONE", "VOID") else []
