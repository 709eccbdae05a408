"""What the lamps show of the bonus games: only what was decided, at any frame rate, without waste."""

import gc
import hashlib

from tabletop.chance.draws import Draws
from tabletop.scenes import bonus
from tabletop.scenes.tiles import Tiles

try:
    from tests.vm import bonus_round
    from tests.vm.test_chance_replayed import Source, game_of, inputs_of
except ImportError:  # on the VM this folder itself is on the path
    import bonus_round
    from test_chance_replayed import Source, game_of, inputs_of

GAMES = ("wonderspins", "money_mountain", "new_york", "luxor", "mgm_grand", "bellagio")
TIMES = (0, 333, 1500, 3000, 9000)
GOLDEN = bonus_round.seed_text("../golden/scenes.txt")


def scene_of(name):
    return __import__("tabletop.scenes." + name, None, None, ["tiles"])


def moments(name, seed=77):
    """(state, effects) of every step of a round."""
    game = game_of(name)
    draws = Draws(Source(seed), lambda *record: None)
    state = game.new(1, bonus_round.settings_of(game))
    found = []
    spins = [4, 18, 7, 0, 30, 12] + [0, 12, 36] * 40
    for given in (("wager", 1, sorted(game.SPOTS)[0], 5000), ("no_more_bets",)):
        state, effects = game.step(state, given)
        found.append((state, effects))
    while state["phase"] != "DONE":
        state, effects = game.step(state, inputs_of(game, state, spins), draws)
        found.append((state, effects))
    return found


def frames(scene, state, effects, ms, canvas, inner, rim):
    scene.tiles(state, effects, ms, canvas)
    if hasattr(scene, "inner"):
        scene.inner(state, effects, ms, inner)
    if hasattr(scene, "rim"):
        scene.rim(state, effects, ms, rim)


def digest_of(name):
    """One digest over all frames and digits of a round."""
    scene, canvas, inner, rim = scene_of(name), Tiles(), bytearray(36), bytearray(54 * 9)
    whole = hashlib.sha256()
    for state, effects in moments(name):
        for ms in TIMES:
            frames(scene, state, effects, ms, canvas, inner, rim)
            whole.update(canvas.buf)
            whole.update(inner)
            whole.update(rim)
        for index in range(3):
            whole.update(bonus.digits(state, index).encode())
    return "".join(["%02x" % byte for byte in whole.digest()[:8]])


def test_all_frames_of_a_round_are_the_golden_ones():
    golden = dict([line.split() for line in GOLDEN.split("\n") if line and line[0] != "#"])
    for name in GAMES:
        assert digest_of(name) == golden[name], name + " " + digest_of(name)


def test_the_wonderspins_scene_names_what_the_rules_name():
    rules, scene = game_of("wonderspins"), scene_of("wonderspins")
    assert (scene.CHARACTERS, scene.INNER) == (rules.CHARACTERS, rules.INNER)
    assert set(scene.RIM_COLOURS) == set(rules.LAYOUT)


def lit(buf, size, colour=b"\xa0\xa0\xa0"):
    """The places of a ring whose first LED has the light's colour."""
    return [n for n in range(len(buf) // size) if bytes(buf[n * size:n * size + 3]) == colour]


def test_case_65_the_inner_ring_ends_exactly_on_the_recorded_section():
    scene, buf = scene_of("wonderspins"), bytearray(36)
    for section in range(12):
        for ms in (bonus.TURN_MS, bonus.TURN_MS + 1, 60000):
            scene.inner({}, [("inner", section, "2")], ms, buf)
            assert lit(buf, 3) == [section]
        seen = set()
        for ms in range(0, bonus.TURN_MS, 20):
            scene.inner({}, [("inner", section, "2")], ms, buf)
            seen.add(lit(buf, 3)[0])
        assert len(seen) == 12, "the light runs through all sections"


def test_case_65_the_outer_wheel_of_money_mountain_ends_exactly_on_the_recorded_segment():
    scene, buf = scene_of("money_mountain"), bytearray(54 * 9)
    for segment in range(54):
        scene.rim({"segments": [2] * 54}, [("outer", segment, 2, 2)], bonus.TURN_MS, buf)
        assert lit(buf, 9) == [segment]


def test_case_65_the_light_of_new_york_ends_exactly_on_the_recorded_building():
    scene, canvas = scene_of("new_york"), Tiles()
    for building in range(12):
        scene.tiles({"buildings": [5] * 12}, [("light", building, 5)], bonus.TURN_MS, canvas)
        bottom = [canvas.buf[(15 * 32 + x) * 3] for x in range(24)]
        assert [x for x in range(24) if bottom[x] == 0xA0] == [building * 2]


def test_a_frame_depends_on_state_and_time_alone_and_changes_no_state():
    for name in GAMES:
        scene, one, other = scene_of(name), Tiles(), Tiles()
        spare = bytearray(54 * 9)
        for state, effects in moments(name)[:6]:
            before = repr((state, effects))
            for ms in range(0, 2000, 250):
                frames(scene, state, effects, ms, one, spare, spare)
            frames(scene, state, effects, 1750, other, spare, spare)
            assert one.buf == other.buf
            assert repr((state, effects)) == before


def test_frames_allocate_nothing():
    if not hasattr(gc, "mem_alloc"):
        return  # only MicroPython counts
    for name in GAMES:
        scene, canvas, inner, rim = scene_of(name), Tiles(), bytearray(36), bytearray(54 * 9)
        for state, effects in moments(name):
            frames(scene, state, effects, 40, canvas, inner, rim)
            gc.collect()
            gc.disable()
            before = gc.mem_alloc()
            for ms in range(0, 1000, 100):
                frames(scene, state, effects, ms, canvas, inner, rim)
            grown = gc.mem_alloc() - before
            gc.enable()
            assert grown == 0, "%s: %d bytes" % (name, grown)


def test_what_is_hidden_in_luxor_looks_the_same_whatever_it_is():
    scene, canvas = scene_of("luxor"), Tiles()
    seen = set()
    for grid in ([5] * 21, [100] * 21, [5, 1000] * 10 + [50]):
        scene.tiles({"phase": "CHOICE", "grid": grid, "choices": {}}, [], 0, canvas)
        seen.add(bytes(canvas.buf))
    assert len(seen) == 1


def test_balls_end_in_their_spot_or_hole_and_totals_wait_for_them():
    scene = scene_of("mgm_grand")
    for end in range(6):
        canvas = Tiles()
        state = {"spots": [0, 0, 0, 0]}
        scene.tiles(state, [("ball", "blue", 1, end, 2)], bonus.BALL_MS - 1, canvas)
        ball = [n for n in range(512) if bytes(canvas.buf[n * 3:n * 3 + 3]) == b"\x10\x10\xa0"]
        assert ball
        column = min([n % 32 for n in ball])
        assert abs(column - (3, 11, 19, 27, 7, 23)[end]) <= 2


def test_numbers_and_rectangles_are_cut_off_at_the_edge():
    canvas = Tiles()
    canvas.number(1, 14, 88888, 0x010203)
    canvas.rectangle(-5, -5, 100, 100, 0x0A0B0C)
    assert bytes(canvas.buf) == b"\x0a\x0b\x0c" * 512


def test_digits_show_rounds_meter_and_jackpot_of_the_games_that_have_them():
    state = {"rounds": 3, "meter": 12345, "jackpot": 1000}
    assert [bonus.digits(state, n) for n in range(3)] == ["3", "9999", "1000"]
    assert bonus.digits({}, 0) == ""


def test_a_wheel_slows_down_and_never_goes_back():
    last = 0
    for ms in range(0, 3100, 10):
        now = bonus.eased(1000, ms, 3000)
        assert now >= last
        last = now
    assert last == 1000
