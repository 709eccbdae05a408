"""The journal on sound flash: numbers, chain, room, anchors, and what it costs."""

import gc
import sys

from tabletop import cbor
from tabletop.journal import kinds, record
from tabletop.journal.journal import Damaged, Full, Journal
from tabletop.journal.ring import Ring

try:
    from tests.vm import flash as nor
except ImportError:
    import flash as nor

VM = sys.implementation.name == "micropython"
FLASH = nor.Flash(6)
NOTE = cbor.dumps({"round": 1})


def fresh(sectors=6):
    return opened(FLASH.new(sectors))


def opened(flash=FLASH):
    journal = Journal(flash)
    journal.open()
    return journal


def fill(journal, upto=-1, kind=kinds.ROUND_CLOSED, payload=NOTE):
    """Appends until record `upto` is there (-1: until Full)."""
    while journal.last != upto:
        try:
            journal.append(kind, payload, journal.last)
        except Full:
            return


def anchor(journal, number):
    return journal.anchor(number, cbor.dumps({"number": number, "hash": journal.hash_of(number)}), 0)


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error as raised:
        return raised
    raise AssertionError("%s was not raised" % error.__name__)


def numbers(records):
    return [found.number for found in records]


# numbers and chain


def test_a_new_device_starts_at_record_1_of_boot_1_with_a_zero_hash_before_it():
    journal = fresh()
    assert (journal.first, journal.last, journal.boot, journal.head) == (1, 0, 1, record.GENESIS)
    assert (journal.torn, journal.damaged, journal.anchored) == (0, 0, 0)
    assert list(journal.records()) == list(journal.backward()) == list(journal.verify()) == []
    assert FLASH.programs == FLASH.erases == 0
    assert journal.append(kinds.BOOT, NOTE, 5) == 1
    first = record.decode(journal.read(1))
    assert (first.prev, first.boot, first.kind, first.t_ms) == (record.GENESIS, 1, kinds.BOOT, 5)
    assert first.hash == journal.head == journal.hash_of(1)


def test_every_record_carries_the_hash_of_the_one_before_over_restarts():
    journal = fresh()
    for start in range(1, 5):
        assert journal.boot == start
        fill(journal, start * 9)
        journal = opened()
    found = list(journal.records())
    assert numbers(found) == list(range(1, 37))
    for i in range(1, 36):
        assert found[i].prev == found[i - 1].hash
        assert found[i].boot - found[i - 1].boot in (0, 1)
    assert numbers(journal.backward()) == list(range(36, 0, -1))
    assert numbers(journal.records(30)) == list(range(30, 37))
    assert list(journal.verify()) == list(range(1, 37))


def test_records_are_found_by_number_in_any_order_with_their_exact_bytes():
    journal = fresh()
    kept = {}
    for i in range(40):
        number = journal.append(kinds.WAGERS, bytes(i * 23 % 700), i)
        kept[number] = journal.read(number)
    for reader in (journal, opened()):
        for step in (1, 7, 11, 39):
            for i in range(40):
                number = i * step % 40 + 1
                raw = reader.read(number)
                assert raw == kept[number]
                assert record.decode(raw).payload == bytes((number - 1) * 23 % 700)
        for gone in (0, 41, -1, 2**32):
            assert fails(KeyError, reader.read, gone)


def test_reading_goes_on_with_the_oldest_record_when_the_next_ones_are_erased_meanwhile():
    journal = fresh(4)
    fill(journal)
    anchor(journal, 32)
    records, checked = journal.records(3), journal.verify()
    assert [next(records).number, next(records).number] == [3, 4]
    assert next(checked) == 1
    assert journal.idle()
    assert next(records).number == next(checked) == 17
    journal.append(kinds.SPIN, NOTE, 0)
    assert next(records).number == 18
    assert numbers(records) == list(range(19, journal.last + 1))
    assert list(checked) == list(range(18, journal.last + 1))
    back = journal.backward()
    assert next(back).number == journal.last
    anchor(journal, journal.last)
    assert [found.number for found in back][-1] == 17


def test_opening_reads_only_and_the_same_object_may_open_again():
    journal = fresh()
    fill(journal, 40)
    anchor(journal, 30)
    before = bytes(FLASH.data[:8192])
    programs, erases, head = FLASH.programs, FLASH.erases, journal.head
    for boot in (2, 2, 2):
        journal.open()
        assert (journal.first, journal.last, journal.boot, journal.anchored) == (1, 41, boot, 30)
        assert journal.head == head
    assert (FLASH.programs, FLASH.erases) == (programs, erases)
    assert bytes(FLASH.data[:8192]) == before


def test_case_35_numbers_never_go_back_over_restarts_and_round_the_ring():
    journal = fresh(4)
    highest = 0
    while FLASH.erases < 12:
        for _ in range(7):
            number = journal.append(kinds.SPIN, bytes(highest % 190), 0)
            assert number == highest + 1
            highest = number
        highest = anchor(journal, highest)
        boot = journal.boot
        journal = opened()
        assert (journal.last, journal.boot) == (highest, boot + 1)
        while journal.idle():
            pass
    assert journal.first > 1


def test_case_43_without_a_clock_the_order_is_boot_and_number():
    journal = fresh()
    set_at = 1772323200000  # 2026-03-01
    journal.append(kinds.TIME_SET, cbor.dumps({"unix_ms": set_at, "was_ms": 0}), 864000000)
    journal = opened()  # the uptime starts again at nothing
    for t_ms in (1200, 1300):
        journal.append(kinds.ROUND_CLOSED, NOTE, t_ms)
    journal.append(kinds.TIME_SET, cbor.dumps({"unix_ms": set_at + 86400000, "was_ms": 0}), 1400)
    found = list(journal.records())
    keys = [(each.boot, each.number) for each in found]
    assert keys == sorted(keys) == [(1, 1), (2, 2), (2, 3), (2, 4)]
    assert [each.t_ms for each in found] == [864000000, 1200, 1300, 1400]
    # no TIME_SET of boot 2 stands before records 2 and 3: their clock was not set
    clock_set = [each.boot for each in found if each.kind == kinds.TIME_SET and each.number < 3]
    assert clock_set == [1]
    assert list(journal.verify()) == [1, 2, 3, 4]


# room and anchors


def test_a_full_ring_takes_nothing_more_and_keeps_everything():
    journal = fresh(4)
    fill(journal)
    assert journal.last == 4 * 16 - 8
    assert journal.free() == journal.ready() == 0
    for reader in (journal, opened()):
        assert not reader.idle()
        for size in (0, 100, 900):
            fails(Full, reader.append, kinds.SPIN, bytes(size), 0)
        assert (reader.first, reader.last, reader.damaged) == (1, 56, 0)
        assert list(reader.verify()) == list(range(1, 57))
    assert FLASH.erases == 0


def test_case_42_at_100_percent_the_oldest_sector_goes_only_once_it_is_anchored():
    journal = fresh(4)
    fill(journal)
    anchor(journal, 15)
    assert journal.free() == 0
    assert not journal.idle()
    anchor(journal, 16)
    assert journal.free() == 14
    assert journal.idle()
    assert not journal.idle()
    assert journal.first == 17
    assert journal.ready() == journal.free() == 14
    fails(KeyError, journal.read, 16)
    assert journal.append(kinds.SPIN, bytes(500), 0) == 59
    assert list(journal.verify()) == list(range(17, 60))
    assert opened().first == 17


def test_an_anchor_still_fits_when_nothing_else_does_and_outlives_a_restart():
    journal = fresh(4)
    fill(journal)
    for _ in range(4):
        journal = opened()
        fails(Full, journal.append, kinds.BOOT, NOTE, 0)
    anchor(journal, 40)
    journal = opened()
    assert journal.anchored == 40
    anchor(journal, 20)
    assert journal.anchored == opened().anchored == 40, "an anchor never goes back"


def test_an_anchor_on_a_record_that_is_not_there_is_refused():
    journal = fresh()
    fill(journal, 3)
    for number in (0, 4, -1):
        assert "no record" in str(fails(ValueError, journal.anchor, number, NOTE, 0))
    assert journal.last == 3


def test_free_and_ready_count_records_that_really_fit():
    journal = fresh(6)
    while journal.last < 90:
        ready, free = journal.ready(), journal.free()
        assert free >= ready
        before = journal.last
        if journal.last % 20 == 19:
            anchor(journal, journal.last)
        else:
            journal.append(kinds.SPIN, NOTE, 0)
            assert journal.ready() == ready - 1
            assert journal.free() == free - 1
        assert journal.last == before + 1
        if not journal.ready():
            while journal.idle():
                pass
    fill(journal)
    assert journal.ready() == 0
    journal = fresh()
    ready = journal.ready()
    for pages, size in ((1, 194), (2, 195), (3, 600), (4, 900)):
        journal.append(kinds.SPIN, bytes(size), 0)
        assert ready - journal.ready() == pages
        ready = journal.ready()


def test_after_a_restart_the_sectors_ahead_are_erased_again_before_they_are_used():
    journal = fresh(6)
    fill(journal)
    anchor(journal, journal.last)
    assert journal.idle()
    erases = FLASH.erases
    journal = opened()
    fails(Full, journal.append, kinds.SPIN, bytes(900), 0)
    assert FLASH.erases == erases
    assert journal.idle()
    assert FLASH.erases == erases + 1
    assert not journal.idle()
    assert journal.append(kinds.SPIN, bytes(900), 0)


def test_a_record_that_is_too_long_is_refused_and_nothing_changes():
    journal = fresh()
    fill(journal, 2)
    programs = FLASH.programs
    fails(ValueError, journal.append, kinds.SPIN, bytes(record.MAX_PAYLOAD + 1), 0)
    assert (journal.last, FLASH.programs) == (2, programs)
    assert journal.append(kinds.SPIN, bytes(record.MAX_PAYLOAD), 0) == 3
    assert record.decode(journal.read(3)).payload == bytes(record.MAX_PAYLOAD)


def test_a_record_never_crosses_a_sector():
    journal = fresh()
    fill(journal, 13)
    journal.append(kinds.SPIN, bytes(record.MAX_PAYLOAD), 0)
    assert nor.blank(FLASH.data, 13 * nor.PAGE, 3 * nor.PAGE)
    assert record.number(FLASH.data[nor.SECTOR :]) == 14
    assert list(opened().verify()) == list(range(1, 15))


def test_what_a_record_leaves_of_its_last_page_stays_blank():
    journal = fresh()
    journal.append(kinds.SPIN, bytes(900), 0)
    journal.append(kinds.SPIN, bytes(300), 0)
    end = 4 * nor.PAGE + record.HEADER + 300 + record.TRAILER
    assert FLASH.data[end - 1] != 0xFF
    for at in range(end, 6 * nor.PAGE):
        assert FLASH.data[at] == 0xFF


def test_a_record_inside_a_payload_is_never_taken_for_one():
    journal = fresh()
    fill(journal, 2)
    forged = bytearray(record.MAX)
    size = record.encode_into(forged, 4, 1, kinds.SETTLED, 0, 0, record.GENESIS, b"forged")
    payload = bytes(nor.PAGE - record.HEADER) + forged[:size] + bytes(300)
    journal.append(kinds.DISPUTE, payload, 0)
    assert record.number(FLASH.data[3 * nor.PAGE :]) == 4, "it does stand at the start of a page"
    journal = opened()
    assert journal.last == 3
    fill(journal, 5)
    assert record.decode(journal.read(4)).kind == kinds.ROUND_CLOSED
    assert list(opened().verify()) == [1, 2, 3, 4, 5]


def test_a_device_of_other_sectors_is_refused():
    device = nor.Flash(4)
    Ring(device)
    for page, sector, sectors in ((512, 4096, 4), (256, 4000, 4), (256, 512, 4), (256, 4096, 3)):
        device.page, device.sector, device.sectors = page, sector, sectors
        fails(ValueError, Ring, device)


def test_flash_that_does_not_keep_what_is_written_is_noticed_at_once():
    journal = fresh()
    fill(journal, 2)
    real = FLASH.program

    def dead_cell(address, buf):
        real(address, buf)
        FLASH.data[address + 70] |= 1

    FLASH.program = dead_cell
    try:
        assert fails(Damaged, journal.append, kinds.SPIN, bytes(100), 0).args[0] == 3
    finally:
        del FLASH.program
    assert (journal.last, journal.damaged) == (2, 3)
    assert not journal.idle()
    assert journal.append(kinds.TILT, NOTE, 0) == 3
    assert list(journal.records())[-1].kind == kinds.TILT


def test_a_page_that_reads_back_wrong_once_leaves_no_number_twice():
    journal = fresh()
    fill(journal, 4)
    real_program, real_read = FLASH.program, FLASH.read
    wrong = []

    def program(address, buf):
        real_program(address, buf)
        if not wrong:
            wrong.append(address)

    def read(address, buf):
        real_read(address, buf)
        if wrong == [address]:
            wrong.append(0)
            buf[10] ^= 4

    for size in (100, 900):  # one page, and four: what stands in the others must not pass for a record either
        del wrong[:]
        number = journal.last + 1
        FLASH.program, FLASH.read = program, read
        try:
            fails(Damaged, journal.append, kinds.SPIN, bytes(size), 0)
        finally:
            del FLASH.program, FLASH.read
        assert journal.damaged == number
        assert journal.append(kinds.TILT, NOTE, 0) == number
        journal = opened()
        assert (journal.damaged, journal.torn) == (0, 0)
        assert [found.number for found in journal.records()] == list(range(1, number + 1))
        assert [found.kind for found in journal.records()][-1] == kinds.TILT
        assert not journal.damaged


def test_flash_that_cannot_even_be_struck_out_has_no_room_before_the_next_start():
    journal = fresh()
    fill(journal, 2)
    real_program, real_read = FLASH.program, FLASH.read
    programs = []

    def program(address, buf):
        programs.append(address)
        if len(programs) == 1:  # the record itself; then the chip takes nothing more
            real_program(address, buf)

    def read(address, buf):
        real_read(address, buf)
        if programs and buf is journal.ring.spare:
            buf[10] ^= 4

    FLASH.program, FLASH.read = program, read
    try:
        fails(Damaged, journal.append, kinds.SPIN, bytes(100), 0)
        fails(Full, journal.append, kinds.TILT, NOTE, 0)
    finally:
        del FLASH.program, FLASH.read
    journal = opened()
    assert (journal.last, journal.damaged) == (3, 0)


# cost


def test_case_42_an_append_costs_the_same_in_an_empty_and_in_a_nearly_full_ring():
    sectors = 6 if VM else 128
    flash = FLASH if VM else nor.Flash(sectors)
    journal = opened(flash.new(sectors))

    def cost():
        reads, programs, erases = flash.reads, flash.programs, flash.erases
        journal.append(kinds.SPIN, bytes(180), 0)
        assert flash.erases == erases, "an append erased"
        return flash.reads - reads, flash.programs - programs

    empty = cost()
    assert empty == (2, 1)
    fill(journal, sectors * 16 * 95 // 100)
    worst = (0, 0)
    for _ in range(1000 if not VM else 150):
        if not journal.ready():
            anchor(journal, journal.last)
            assert journal.idle()
        worst = max(worst, cost())
    assert worst == empty
    assert list(journal.verify())[-1] == journal.last


def test_a_round_costs_one_program_a_page_and_one_erase_a_sector():
    journal = fresh()
    programs = FLASH.programs
    for size in (10, 190, 194, 195, 500, 962):
        journal.append(kinds.SETTLED, bytes(size), 0)
    assert FLASH.programs - programs == 1 + 1 + 1 + 2 + 3 + 4
    assert FLASH.erases == 0


def test_an_append_leaves_nothing_behind_in_memory():
    if not VM:
        return
    journal = fresh()
    payload = bytes(200)

    def grown(times):
        gc.collect()
        before = gc.mem_alloc()
        for _ in range(times):
            journal.append(kinds.SPIN, payload, 12345)
        rubbish = gc.mem_alloc() - before
        gc.collect()
        return gc.mem_alloc() - before, rubbish // times

    grown(5)
    kept, rubbish = grown(20)
    assert kept <= 0, kept
    assert rubbish < 3072, rubbish
    print("append allocates", rubbish, "bytes")
