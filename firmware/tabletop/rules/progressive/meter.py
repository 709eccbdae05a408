"""A progressive meter: what is on it, what a wager adds, and what a win takes off. Pure: every change is a new dict.

`current` and `reserve` are the mills shown and the pool kept for the next start, `rest` and `reserve_rest` what is
below a mill, in 1/10,000 mill, so that nothing is ever rounded away. `overflow` is what the limit keeps off the meter;
it comes back as soon as there is room. `house` is what the house put in: the seed, and reseeds that no reserve paid.
`recent` are the last hits [mark, mills]. At any time, with contributions exact:
house + contributions + corrected = current + reserve + overflow + won + rests.
A table linked with others adds nothing to its own meter: `passed_on` are the wagers, `awarded` the wins of the shared.
"""

from tabletop.const import const
from tabletop.rules.weights import whole

RATE = const(10000)  # a rate of this many hundredths of a percent is the whole wager
KEPT = const(25)  # hits that are kept
RESERVE = "RESERVE"  # `reseed`: the whole pool, whatever it holds; else an amount in mills
_TOP_MILLS = const(10**12)
_PARAMETERS = ("seed", "reseed", "increment", "reserve", "limit")


def check(parameters: dict) -> None:
    """ValueError, naming place, value and limit, unless these are parameters of a meter; `limit` 0 is none."""
    if sorted(parameters) != sorted(_PARAMETERS):
        raise ValueError("a meter has the parameters %s" % ", ".join(_PARAMETERS))
    whole("seed", parameters["seed"], 1, _TOP_MILLS)
    if parameters["reseed"] != RESERVE:
        whole("reseed", parameters["reseed"], 1, _TOP_MILLS)
    whole("increment", parameters["increment"], 1, RATE)
    whole("reserve", parameters["reserve"], 0, RATE - parameters["increment"])
    whole("limit", parameters["limit"], 0, _TOP_MILLS)
    starts = [parameters["seed"]] + [mills for mills in [parameters["reseed"]] if mills != RESERVE]
    if parameters["limit"] and max(starts) > parameters["limit"]:
        raise ValueError("a start of %d is above the meter's limit of %d" % (max(starts), parameters["limit"]))


def opened(parameters: dict, current: "int | None" = None, reserve: int = 0) -> dict:
    """A new meter, at its initial seed; or one that stands at `current` with `reserve`, as in a script."""
    check(parameters)
    if current is None:
        current = parameters["seed"]
    whole("the meter", current, 0, parameters["limit"] or _TOP_MILLS)
    whole("the reserve", reserve, 0, _TOP_MILLS)
    return {
        "current": current, "rest": 0, "reserve": reserve, "reserve_rest": 0, "overflow": 0,
        "wagers": 0, "wagered": 0, "wins": 0, "hits": 0, "won": 0, "house": current + reserve, "corrected": 0,
        "recent": [], "parameters": dict(parameters), "next": {},
    }  # fmt: skip


def contribute(meter: dict, mills: int) -> dict:
    """One wager of `mills` more: the increment goes to the meter, the reserve rate to the pool."""
    after = dict(meter)
    parameters = meter["parameters"]
    added = mills * parameters["increment"] + meter["rest"]
    kept = mills * parameters["reserve"] + meter["reserve_rest"]
    after["current"] += added // RATE
    after["rest"] = added % RATE
    after["reserve"] += kept // RATE
    after["reserve_rest"] = kept % RATE
    _count(after, mills)
    return _levelled(after)


def passed_on(meter: dict, mills: int) -> dict:
    """One wager of `mills` more, which contributes to a meter that is shared with other tables and not to this one."""
    after = dict(meter)
    _count(after, mills)
    after["passed_on"] = meter.get("passed_on", 0) + mills
    return after


def win(meter: dict, percent: int, mark) -> "tuple[dict, int]":
    """A win of `percent` of the meter, and the mills it is; `mark` says in `recent` whose hit it was.

    A share is rounded down to the mill, and what is below stays on the meter. 100 % is a hit: the meter starts anew.
    """
    after = dict(meter)
    mills = meter["current"] * percent // 100
    after["current"] -= mills
    after["won"] += mills
    _won(after, percent, mills, mark)
    if percent == 100:
        _reseed(after)
    return _levelled(after), mills


def awarded(meter: dict, percent: int, mills: int, mark) -> dict:
    """A win of `percent` of a meter that is shared with other tables: `mills`, as its host says."""
    after = dict(meter)
    after["awarded"] = meter.get("awarded", 0) + mills
    _won(after, percent, mills, mark)
    return after


def latest(recent: list) -> list:
    """The hits that are kept of these, the newest last."""
    return recent[-KEPT:]


def change(meter: dict, parameters: dict) -> dict:
    """Other parameters; they take effect after the next hit."""
    check(parameters)
    after = dict(meter)
    after["next"] = dict(parameters)
    return after


def governed(meter: dict, parameters: dict) -> dict:
    """The meter under the parameters of now, which take effect after its next hit where they are others."""
    if parameters == (meter["next"] or meter["parameters"]):
        return meter
    after = change(meter, parameters)
    if parameters == meter["parameters"]:
        after["next"] = {}
    return after


def begun(meter: dict, least: int, most: int) -> dict:
    """A meter that no wager has moved is at once under the parameters that would wait for its next hit.

    What it shows stays if that is from `least` to `most` mills; otherwise it is what the parameters begin with.
    """
    if not meter["next"]:
        return meter
    after = dict(meter)
    after["parameters"], after["next"] = meter["next"], {}
    if not least <= meter["current"] <= most:
        after["current"] = after["parameters"]["seed"]
        after["house"] += after["current"] - meter["current"]
    return after


def correct(meter: dict, mills: int, least: int = 0, most: int = 0) -> dict:
    """The meter shows `mills` from now on: a correction, which the caller has recorded.

    What the limit kept off it would come back at once and raise it again: that goes to the reserve, for the next start.
    `least` and `most` are those of the game where it has some. ValueError outside of them, or above the meter's limit.
    """
    whole("a corrected meter", mills, least, most or meter["parameters"]["limit"] or _TOP_MILLS)
    after = dict(meter)
    after["corrected"] += mills - meter["current"]
    after["current"] = mills
    after["reserve"] += meter["overflow"]
    after["overflow"] = 0
    return after


def _count(after: dict, mills: int) -> None:
    after["wagers"] += 1
    after["wagered"] += mills


def _won(after: dict, percent: int, mills: int, mark) -> None:
    after["wins"] += 1
    if percent == 100:
        after["hits"] += 1
        after["recent"] = latest(after["recent"] + [[mark, mills]])


def _reseed(after: dict) -> None:
    if after["next"]:
        after["parameters"], after["next"] = after["next"], {}
    reseed = after["parameters"]["reseed"]
    if reseed == RESERVE:
        reseed = after["reserve"]
    pool = min(after["reserve"], reseed)
    after["current"] += reseed
    after["reserve"] -= pool
    after["house"] += reseed - pool


def _levelled(after: dict) -> dict:
    total = after["current"] + after["overflow"]
    after["current"] = min(total, after["parameters"]["limit"] or total)
    after["overflow"] = total - after["current"]
    return after
