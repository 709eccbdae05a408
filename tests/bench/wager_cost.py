"""Time of a full round of a progressive wager and memory of its rules, on either interpreter; one line of JSON."""

import gc
import json
import sys
import time

ROUNDS = 50
HANDS = {
    "match_the_dealer": (["KD KS", "3S 4S", "KD KD", "KC KH", "2S 2H", "KH 9D", "KD QD"], "KD"),
    "monster_match": (["KD KD", "3S 4S", "KC KH", "KS 2H", "2S 2H", "KH 9D", "JD QD"], "KD KD"),
}

CONTRIBUTIONS = 20000
name = sys.argv[1]
gc.collect()
before = gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0
game = __import__("tabletop.rules.progressive." + name, None, None, ["step"])
gc.collect()
rules_bytes = gc.mem_alloc() - before if hasattr(gc, "mem_alloc") else 0
ticks = time.ticks_us if hasattr(time, "ticks_us") else lambda: time.perf_counter_ns() // 1000

hands, dealt = HANDS[name]
settings = dict(game.DEFAULTS)
script = [("wager", seat, game.SPOTS[0], settings["wager_mills"]) for seat in range(1, 8)]
script += [("no_more_bets",), ("chips", 7, "D1")]
script += [("hand", seat, hands[seat - 1]) for seat in range(1, 8)] + [("dealt", dealt)]
state = game.new(1, settings)
settlement = 0
start = ticks()
for number in range(ROUNDS):
    state = game.new(number + 1, settings, state["meter"])
    for given in script[:-1]:
        state, effects = game.step(state, given)
        assert effects == [] or effects[0][0] != "refuse", effects
    begun = ticks()
    state, effects = game.step(state, script[-1])  # the last card: every seat is settled
    for seat, _result, _done in state["wins"]:
        state, effects = game.step(state, ("validate", seat, "F1"))
    settlement += ticks() - begun
    for entry in list(state["wins"]):
        if entry[2] == 1:
            state, effects = game.step(state, ("documented", entry[0]))
    assert state["phase"] == "DONE", state
found = {"round_us": (ticks() - start) // ROUNDS, "settle_us": settlement // ROUNDS, "bytes": rules_bytes}
from tabletop.rules.progressive import meter  # noqa: E402

on = meter.opened({"seed": 250000, "reseed": 250000, "increment": 50, "reserve": 0, "limit": 0})
start = ticks()
for _ in range(CONTRIBUTIONS):
    on = meter.contribute(on, 5001)
found["contributions_s"] = CONTRIBUTIONS * 1000000 // (ticks() - start)
assert (on["current"] - 250000) * meter.RATE + on["rest"] == CONTRIBUTIONS * 5001 * 50
print(json.dumps(found))
