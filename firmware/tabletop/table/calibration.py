"""Makes wheel and lamps of a table what a calibration says; in memory only while it does."""

from tabletop.sensing.spin import SpinSensor


def take(table, given: dict) -> None:
    """The wheel is as `given` says and has to be homed again; ValueError, and nothing has changed, if it cannot."""
    before, table.calibration = table.calibration, given
    direction = given.get("direction", 1)
    try:
        if given and given.get("serial") != table.hal.serial:
            raise ValueError("it is of table %s" % given.get("serial"))
        if type(direction) is not int or abs(direction) != 1:
            raise ValueError("direction %s is not 1 or -1" % direction)
        for name in ("counts_per_turn", "index_at", "index_width_counts"):
            if type(given.get(name, 0)) is not int:
                raise ValueError("%s is no whole number" % name)
        sensor = SpinSensor(table.wheel_config())
        for name in ("rim", "inner", "tiles", "leds", "digits"):
            if name in given or name in before:  # else their module is never loaded
                from tabletop.table import fitted

                fitted.take(table.hal.lights, table.hal.board, given)
                table.show.again()
                break
    except ValueError as error:
        table.calibration = before
        raise ValueError(str(error)[:100])
    table.sensor = sensor
    table.mirror = None
    if direction < 0:
        from tabletop.table.mirror import Mirror

        table.mirror = Mirror(table)
