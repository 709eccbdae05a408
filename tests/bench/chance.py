"""Chance: draws, DRBG and tested noise on the VM and CPython, beside os.urandom and OpenSSL's own HMAC-DRBG."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tabletop.chance.uniform import uniform
from wheelwright.virtual import micropython

from tests.bench.figures import Figure, timed
from tests.conftest import ROOT
from tests.unit import openssl

SCRIPT = Path(__file__).with_name("chance_cost.py")
BLOCK, BLOCKS = 4096, 2000


def _measure(*program: str) -> dict[str, Any]:
    path = os.pathsep.join([str(ROOT / "firmware"), ".frozen"])
    environment = dict(os.environ, MICROPYPATH=path, PYTHONPATH=str(ROOT / "firmware"))
    run = subprocess.run([*program, str(SCRIPT)], capture_output=True, text=True, check=True, env=environment)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def _bytes_per_s(block: Any) -> float:
    seconds, _ = timed(lambda: [block() for _ in range(BLOCKS)])
    return BLOCK * BLOCKS / seconds


def _draws_per_s(source: Callable[[int], bytes]) -> float:
    """The very function of our draws, on CPython, over another source of bytes."""
    seconds, _ = timed(lambda: [uniform(source, 54) for _ in range(10 * BLOCKS)])
    return 10 * BLOCKS / seconds


def figures() -> Iterator[Figure]:
    """The VM runs with 200 KB; stand-in noise, so that what is measured is our own work."""
    vm, host = _measure(micropython(), "-X", "heapsize=200k"), _measure(sys.executable)
    drbg = openssl.Drbg(bytes(range(48)), bytes(range(16)), b"")
    peers = {
        "os.urandom": (_draws_per_s(os.urandom), _bytes_per_s(lambda: os.urandom(BLOCK))),
        "OpenSSL HMAC-DRBG": (_draws_per_s(drbg.generate), _bytes_per_s(lambda: drbg.generate(BLOCK))),
    }
    yield Figure("draws of 54 on the VM", vm["draws_of_54_per_s"], "draws/s", "design goal on the chip", 200.0)
    for where, found in (("the VM", vm), ("CPython", host)):
        for peer, (draws, of_bytes) in peers.items():
            yield Figure(f"draws of 54 on {where}", found["draws_of_54_per_s"], "draws/s", f"over {peer}", draws)
            yield Figure(f"DRBG on {where}", found["drbg_bytes_per_s"], "bytes/s", peer, of_bytes)
    drbg.close()
    yield Figure("reseeds on the VM, tested noise included", vm["reseeds_per_s"], "reseeds/s")
    yield Figure("noise samples tested on the VM", vm["tested_samples_per_s"], "samples/s")
    yield Figure("rubbish of a draw on the VM", vm["rubbish_bytes_a_draw"], "bytes")
    yield Figure("memory kept after 50 draws on the VM", vm["kept_bytes_after_50_draws"], "bytes")
