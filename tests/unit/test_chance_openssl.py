"""Our HMAC_DRBG against OpenSSL 3's over thousands of random sequences, on CPython and on the MicroPython VM."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from functools import cache

import pytest
from tabletop.chance.drbg import HmacDrbg

from tests.conftest import ROOT, need_micropython
from tests.unit import openssl
from tests.vm.drbg_sequences import live

SEQUENCES = 3000


@cache
def openssl_outputs(seed: int) -> list[bytes]:
    return list(live(openssl.Drbg, seed))


def test_openssl_gives_the_known_answer_so_the_comparison_means_something() -> None:
    vector = json.loads((ROOT / "tests" / "data" / "vectors" / "hmac_drbg_sha256.json").read_text())
    drbg = openssl.Drbg(bytes.fromhex(vector["entropy_input"]), bytes.fromhex(vector["nonce"]))
    drbg.generate(128)
    assert drbg.generate(128).hex() == vector["returned_bits"]
    drbg.close()


@pytest.mark.slow
def test_three_thousand_random_sequences_with_reseeds_and_additional_input_agree_with_openssl() -> None:
    outputs = 0
    for seed in range(SEQUENCES):
        ours = list(live(HmacDrbg, seed))
        assert ours == openssl_outputs(seed), f"sequence {seed}"
        outputs += len(ours)
    assert outputs > 10000
    print(f"{SEQUENCES} sequences, {outputs} outputs")


@pytest.mark.vm
def test_the_same_sequences_on_the_micropython_vm_agree_with_openssl() -> None:
    binary = need_micropython()
    folder = ROOT / "tests" / "vm"
    path = os.pathsep.join([str(ROOT / "firmware"), str(folder), ".frozen"])
    run = subprocess.run(
        [binary, "-X", "heapsize=200k", str(folder / "drbg_sequences.py"), str(SEQUENCES)],
        capture_output=True, text=True, env=dict(os.environ, MICROPYPATH=path), timeout=300, check=True,
    )  # fmt: skip
    theirs = b"".join(out for seed in range(SEQUENCES) for out in openssl_outputs(seed))
    assert run.stdout.strip() == hashlib.sha256(theirs).hexdigest()
