"""What the journal costs on a full 512 KB ring, on either interpreter: `micropython -X heapsize=1m journal_cost.py`.

Prints one JSON line. The flash is memory, so the figures are the journal's own work: reading, hashing, finding.
"""

import gc
import json
import time

from tabletop.journal import kinds
from tabletop.journal.journal import Full, Journal

SECTORS = 128


class Memory:
    page = 256
    sector = 4096
    sectors = SECTORS

    def __init__(self):
        self.data = memoryview(bytearray(SECTORS * 4096))
        self.reads = 0
        for sector in range(SECTORS):
            self.erase(sector)

    def read(self, address, buf):
        self.reads += 1
        buf[:] = self.data[address : address + len(buf)]

    def program(self, address, page):
        self.data[address : address + 256] = page

    def erase(self, sector):
        for page in range(sector * 4096, sector * 4096 + 4096, 256):
            self.data[page : page + 256] = b"\xff" * 256


def seconds(work):
    gc.collect()
    start = time.time_ns()
    found = work()
    return (time.time_ns() - start) / 1e9, found


def main():
    flash = Memory()
    journal = Journal(flash)
    journal.open()
    payload = bytes(180)

    def memory():
        """Bytes kept after 50 appends, and bytes that each leaves to be collected; nothing where nobody can count."""
        if not hasattr(gc, "mem_alloc"):
            return 0, 0
        gc.collect()
        before = gc.mem_alloc()
        for _ in range(50):
            journal.append(kinds.SPIN, payload, 1)
        rubbish = (gc.mem_alloc() - before) // 50
        gc.collect()
        return gc.mem_alloc() - before, rubbish

    memory()
    kept, rubbish = memory()
    before = journal.last

    def fill():
        try:
            while True:
                journal.append(kinds.SPIN, payload, 1)
        except Full:
            return journal.last

    append_s, records = seconds(fill)
    again = Journal(flash)
    flash.reads = 0
    open_s, _ = seconds(again.open)
    open_reads = flash.reads
    verify_s, _ = seconds(lambda: sum(1 for _ in again.verify()))
    read_s, _ = seconds(lambda: [len(again.read(n)) for n in range(1, records, 7)])
    print(json.dumps({
        "records": records,
        "append_ms": round(append_s / (records - before) * 1000, 4),
        "append_kept_bytes": kept,
        "append_rubbish_bytes": rubbish,
        "open_ms": round(open_s * 1000, 2),
        "open_reads": open_reads,
        "verify_records_per_s": round(records / verify_s),
        "random_read_ms": round(read_s / len(range(1, records, 7)) * 1000, 4),
    }))  # fmt: skip


main()
