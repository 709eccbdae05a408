"""What lamps and digits show of each state."""

from tabletop.rules.dreamcatcher import LAYOUT
from tabletop.scenes import View, panel
from tabletop.scenes.wheel_rim import Rim, moves
from tabletop.table.show import Show

SEGMENTS = " -0123456789AbCcdEFHhIJLnoPrStUuYBSgmai"  # what seven segments can show, roughly
PHASES = (
    "BOOT", "SELF_TEST", "READY", "BETS_OPEN", "NO_MORE_BETS", "SPINNING", "RESULT", "BONUS", "SETTLED", "TILT",
    "SERVICE", "TEST",
)  # fmt: skip


def frame(now_ms=512, **values):
    """The rim as 54 tuples of three LEDs, each (green, red, blue)."""
    view = View()
    view.test = False
    for name in values:
        assert hasattr(view, name)
        setattr(view, name, values[name])
    rim = Rim(LAYOUT)
    buf = bytearray(rim.size)
    rim.draw(view, now_ms, buf)
    return [[tuple(buf[s * 9 + led * 3 : s * 9 + led * 3 + 3]) for led in range(3)] for s in range(54)]


def brightness(section):
    return sum([sum(led) for led in section])


def test_a_frame_has_162_leds_and_equal_symbols_look_equal():
    shown = frame(phase="BETS_OPEN")
    assert len(shown) == 54
    for section in range(54):
        same = LAYOUT.index(LAYOUT[section])
        assert shown[section] == shown[same]
        assert shown[section][0] == shown[section][1] == shown[section][2]
    assert len({tuple(shown[LAYOUT.index(symbol)]) for symbol in ("1", "2", "5", "10", "20", "40")}) == 6


def test_an_idle_wheel_is_dim():
    idle, bets = frame(phase="READY"), frame(phase="BETS_OPEN")
    for section in range(54):
        assert 0 < brightness(idle[section]) * 4 < brightness(bets[section])


def test_the_section_under_the_clapper_shines_while_the_wheel_turns():
    shown = frame(phase="SPINNING", pointer=17)
    assert shown[17] == [(255, 255, 255)] * 3
    rest = frame(phase="SPINNING", pointer=-1)
    assert [s for s in range(54) if shown[s] != rest[s]] == [17]


def test_the_winning_section_pulses_and_nothing_else_does():
    first, second = frame(0, phase="RESULT", section=9), frame(500, phase="RESULT", section=9)
    assert [s for s in range(54) if first[s] != second[s]] == [9]
    assert brightness(second[9]) > brightness(first[9]) > 0
    for now_ms in range(0, 3000, 7):
        assert 64 * 9 <= brightness(frame(now_ms, phase="RESULT", section=9)[9]) <= 255 * 9


def test_the_last_result_is_dark_before_the_next_spin():
    for phase in ("BETS_OPEN", "NO_MORE_BETS", "SPINNING"):
        assert frame(phase=phase, section=9)[9] == frame(phase=phase, section=-1)[9]
        view = View()
        view.test = False
        view.phase, view.section, view.symbol = phase, 9, "10"
        assert panel.digits(view, 0, 0) != "10"


def test_test_mode_blinks_blue_in_six_places_and_says_so_every_other_second():
    for phase in ("TEST", "BETS_OPEN", "SPINNING", "RESULT", "BONUS"):
        on, off = frame(0, phase=phase, test=True), frame(512, phase=phase, test=True)
        changed = [s for s in range(54) if on[s] != off[s] and s != 20]
        assert changed == [0, 9, 18, 27, 36, 45]
        assert on[18] == [(0, 0, 200)] * 3
        view = View()
        view.phase = phase
        assert panel.digits(view, 0, 1024) == "tESt"
        assert panel.digits(view, 0, 0) != "tESt"


def test_lamps_are_drawn_when_they_blink_move_or_change_and_at_no_other_time():
    class Lights:
        drawn = 0

        def rim(self, buf):
            self.drawn += 1

        def digits(self, index, text):
            pass

        tower = lamps = inner = lambda self, value: None

    for phase, test, wanted in (("TEST", True, 4), ("TILT", False, 4), ("SERVICE", False, 4), ("RESULT", False, 50)):
        lights = Lights()
        show = Show(lights, LAYOUT, {})
        show.view.phase, show.view.test, show.view.section = phase, test, 9
        for now_ms in range(1000, 3010, 10):  # over 1024, 1536, 2048 and 2560
            show.draw(now_ms)
        assert abs(lights.drawn - wanted) <= 1, (phase, lights.drawn)
        assert moves(show.view) is (phase == "RESULT")


def test_a_tilt_blinks_red_and_shows_its_number():
    on, off = frame(0, phase="TILT"), frame(512, phase="TILT")
    assert on[0] == [(0, 160, 0)] * 3
    assert off == [[(0, 0, 0)] * 3] * 54
    view = View()
    view.test, view.phase, view.tilt = False, "TILT", 21
    assert panel.digits(view, 0, 0) == "t-21"
    assert panel.tower(view) == "tilt"


def test_every_text_fits_four_digits():
    view = View()
    view.symbol, view.multiplier, view.respin = "10", 10**17, "FAULT"
    for phase in PHASES:
        view.phase = phase
        for now_ms in (0, 1024):
            for index in (0, 1, 2):
                text = panel.digits(view, index, now_ms)
                assert len(text) <= 4
                for char in text:
                    assert char in SEGMENTS, text


def test_the_multiplier_is_shown_from_two_on():
    view = View()
    view.phase = "BONUS"
    assert panel.digits(view, 1, 0) == ""
    view.multiplier = 14
    assert panel.digits(view, 1, 0) == "14"


def test_button_lamps_show_what_would_be_taken():
    from tabletop.table.phases import COMMANDS

    bits = {"NO_MORE_BETS": panel.NO_MORE_BETS, "VOID": panel.VOID}
    view = View()
    for phase in PHASES:
        view.phase = phase
        lit = panel.lamps(view)
        for command in bits:
            assert bool(lit & bits[command]) == (phase in COMMANDS[command][0]), (phase, command)
        assert bool(lit & panel.START) == (phase in COMMANDS["OPEN_BETS"][0] + COMMANDS["SETTLE"][0]), phase


def test_the_winning_section_pulses_in_test_mode_too():
    for now_ms in (0, 512, 1024):
        plain, test = (frame(now_ms, phase="RESULT", section=9, test=on) for on in (False, True))
        assert plain[9] == test[9]
