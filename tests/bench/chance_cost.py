"""What draws cost, on either interpreter: `micropython -X heapsize=200k chance_cost.py`. Prints one JSON line."""

import gc
import json
import time

from tabletop.chance.draws import Draws
from tabletop.chance.generator import Generator
from tabletop.chance.health import Health, cutoffs_for
from tabletop.chance.noise import NoiseSource

DRAWS = 2000


class Noise:
    """Stand-in for hardware: what is measured is our own work."""

    state = 1

    def read(self, buf):
        for i in range(len(buf)):
            self.state = self.state * 1103515245 + 12345 & 0x7FFFFFFF
            buf[i] = self.state >> 16 & 0xFF


def per_second(work, n):
    gc.collect()
    start = time.time_ns()
    for _ in range(n):
        work()
    return round(n / ((time.time_ns() - start) / 1e9))


def main():
    generator = Generator(NoiseSource(Noise().read, 8, 7000), ["bench", 1])
    draws = Draws(generator.bytes, lambda *draw: None)
    block = bytes([i * 7 & 0xFF for i in range(1024)])
    found = {
        "draws_of_54_per_s": per_second(lambda: draws.uniform("section", 54), DRAWS),
        "shuffles_of_54_per_s": per_second(lambda: draws.shuffle("deck", 54), 20),
        "drbg_bytes_per_s": 4096 * per_second(lambda: generator.bytes(4096), 20),
        "reseeds_per_s": per_second(generator.reseed, 200),
        "tested_samples_per_s": 1024 * per_second(lambda: Health(cutoffs_for(8, 7000)).feed(block), 50),
    }
    if hasattr(gc, "mem_alloc"):
        gc.collect()
        before = gc.mem_alloc()
        for _ in range(50):
            draws.uniform("section", 54)
        found["rubbish_bytes_a_draw"] = (gc.mem_alloc() - before) // 50
        gc.collect()
        found["kept_bytes_after_50_draws"] = gc.mem_alloc() - before
    print(json.dumps(found))


main()
