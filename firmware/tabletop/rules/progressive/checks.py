"""What the settings of all these wagers are checked with."""

from tabletop.const import const
from tabletop.rules.weights import whole

TOP_MILLS = const(10**9)  # no wager may be set above a million dollars
SEATS = const(7)  # of a progressive table: so many wager sensors
_MOST_NAME = const(48)  # characters of a linked meter


def check_keys(settings: dict, defaults: dict) -> None:
    """ValueError unless `settings` has the keys of `defaults`."""
    for key in settings:
        if key not in defaults:
            raise ValueError("%s is not a setting of this game" % key)
    for key in defaults:
        if key not in settings:
            raise ValueError("%s is missing" % key)


def one_of(place: str, value, choice) -> None:
    """ValueError unless `value` is one of `choice`, of the same kind."""
    for one in choice:
        if type(value) is type(one) and value == one:
            return
    names = [str(one) for one in choice]
    shown = repr(value) if str(value) in names else value  # of another kind
    raise ValueError("%s is %s, but must be one of %s" % (place, shown, ", ".join(names)))


def linked(name) -> None:
    """ValueError unless this names a linked meter, or none: "", or False as it was written before meters had names."""
    if name is not False and (type(name) is not str or len(name) > _MOST_NAME):
        raise ValueError("linked is %s, but must be the meter's name, as the file of link new has it" % name)


def check_limits(settings: dict) -> None:
    """ValueError unless `min_mills`, `max_mills` and `seats` of a wager without a meter can be used."""
    whole("min_mills", settings["min_mills"], 1, TOP_MILLS)
    whole("max_mills", settings["max_mills"], settings["min_mills"], TOP_MILLS)
    whole("seats", settings["seats"], 1, SEATS)
