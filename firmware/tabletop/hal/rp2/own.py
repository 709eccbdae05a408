"""What one table may set otherwise than its board does, in its identity sector: each setting and its limits.

They are those of boards/checks.py, by which an image is built. A setting beyond them is refused when it is written,
and by a start all the same: a table that is not what it says does not run.
"""

NUMBERS = {  # smallest and largest; lists: decision 51
    "pio_hz": [1_000_000, 150_000_000], "counts_per_turn": [216, 40_000], "index_width_counts": [1, 100],
    "inner_leds": [0, 1000], "tile_leds": [0, 10_000], "digits": [1, 8], "lamps": [0, 7], "baud": [9600, 921_600],
    "watchdog_ms": [1000, 8388], "flash_sectors": [16, 4096],
}  # fmt: skip
MILLIAMPERES = {"full": [1, 100], "idle": [0, 10], "budget": [1, 100_000]}
LEAST_BRIGHTNESS = 10  # per cent of full that the budget must allow all LEDs at once


def _number(name: str, value, limits: list) -> str:
    if type(value) is int and limits[0] <= value <= limits[1]:
        return ""
    return "%s is %s, but must be a whole number from %d to %d" % (name, value, limits[0], limits[1])


def _one(name: str, value) -> str:
    if name in NUMBERS:
        return _number(name, value, NUMBERS[name])
    if name in ("live", "rs485"):
        return "" if type(value) is bool else "%s is %s, but must be true or false" % (name, value)
    if name == "game":
        return "" if type(value) is str and value else "game is %s, but must be the name of one" % value
    if name == "links":
        if type(value) in (list, tuple) and value and all([link in ("usb", "uart") for link in value]):
            return ""
        return "links is %s, but must name usb, uart or both" % str(value)
    if name != "led_milliamps":
        return "there is no %s" % name
    if type(value) is not dict:
        return "led_milliamps is %s, but must be a map" % str(value)
    for part in value:
        fault = _number("led_milliamps." + part, value[part], MILLIAMPERES[part]) if part in MILLIAMPERES else (
            "there is no led_milliamps.%s" % part)
        if fault:
            return fault
    return ""


def _merged(board: dict, settings: dict) -> dict:
    found = dict(board)
    found.update(settings)
    found["led_milliamps"] = dict(board["led_milliamps"])
    found["led_milliamps"].update(settings.get("led_milliamps", {}))
    return found


def wrong(board: dict, settings) -> str:
    """Why a table of this board cannot have these settings; "" when it can."""
    if type(settings) is not dict:
        return "they are no map"
    for name in settings:
        fault = _one(name, settings[name])
        if fault:
            return fault
    found = _merged(board, settings)
    current = found["led_milliamps"]
    if current["full"] <= current["idle"]:
        return "led_milliamps.full is %d, but must be more than idle, %d" % (current["full"], current["idle"])
    leds = found["rim_leds"] + found["inner_leds"] + found["tile_leds"]
    least = leds * current["idle"] + leds * (current["full"] - current["idle"]) * LEAST_BRIGHTNESS // 100
    if least > current["budget"]:
        return "%d LEDs need %d mA, led_milliamps.budget is %d" % (leds, least, current["budget"])
    return ""


def taken(board: dict, settings) -> dict:
    """The board as this table has it; ValueError with one sentence."""
    fault = wrong(board, settings)
    if fault:
        raise ValueError("E-7366 the settings of this one table cannot be: %s; correct them with: "
                         "wheelwright identity write --key FILE --device-key FILE --settings FILE" % fault)
    return _merged(board, settings)
