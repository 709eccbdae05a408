"""Time of a frame and memory of a game with its scene, on either interpreter; prints one line of JSON."""

import gc
import json
import sys
import time

sys.path.append(sys.path[0] + "/../vm")

name = sys.argv[1]
gc.collect()
before = gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0
game = __import__("tabletop.rules." + name, None, None, ["step"])
gc.collect()
rules_bytes = gc.mem_alloc() - before if hasattr(gc, "mem_alloc") else 0

import test_scenes_bonus as bench  # noqa: E402

scene, canvas, inner, rim = bench.scene_of(name), bench.Tiles(), bytearray(36), bytearray(54 * 9)
moments = bench.moments(name)
slowest = allocated = 0
for state, effects in moments:
    start = time.ticks_us() if hasattr(time, "ticks_us") else time.perf_counter_ns() // 1000
    for ms in range(0, 1000, 100):
        bench.frames(scene, state, effects, ms, canvas, inner, rim)
    end = time.ticks_us() if hasattr(time, "ticks_us") else time.perf_counter_ns() // 1000
    slowest = max(slowest, (end - start) // 10)
    if hasattr(gc, "mem_alloc"):
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        bench.frames(scene, state, effects, 700, canvas, inner, rim)
        allocated = max(allocated, gc.mem_alloc() - before)
        gc.enable()
print(json.dumps({"frame_us": slowest, "frame_bytes": allocated, "rules_bytes": rules_bytes}))
