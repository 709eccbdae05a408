"""Power cuts at every flash operation, torn tails, half-erased sectors and flipped bits.

The same file is the reduced proof on the MicroPython VM; `tests/unit/test_journal_proof.py` runs the full sets.
"""

import sys

from tabletop import cbor
from tabletop.journal import kinds, record
from tabletop.journal.journal import Full, Journal

try:
    from tests.vm import cuts
    from tests.vm import flash as nor
except ImportError:
    import cuts
    import flash as nor

VM = sys.implementation.name == "micropython"
FLASH = nor.Flash(6)
IMAGES = [nor.Flash(6), nor.Flash(6)]
NOTE = cbor.dumps({"round": 1})
POINTS_ON_VM = (85, 833, 200)  # of the three tests of the proof; docs/journal-format.md has their sum


def opened(flash=FLASH):
    journal = Journal(flash)
    journal.open()
    return journal


def filled(sectors, records, anchored=0, size=9):
    journal = opened(FLASH.new(sectors))
    while journal.last < records:
        journal.append(kinds.ROUND_CLOSED, bytes([journal.last & 0xFF]) * size, 0)
    if anchored:
        journal.anchor(anchored, NOTE, 0)
    return journal


def flip(address, bit=0):
    FLASH.data[address] ^= 1 << bit


def page_of(number):
    """Address of a record, found by looking at every page."""
    for at in range(0, FLASH.sectors * nor.SECTOR, nor.PAGE):
        size = record.size(FLASH.data[at : at + nor.PAGE])
        if size and record.intact(FLASH.data[at : at + size]) and record.number(FLASH.data[at : at + size]) == number:
            return at
    raise AssertionError("record %d is not on the flash" % number)


def fails(error, call, *arguments):
    try:
        call(*arguments)
    except error:
        return
    raise AssertionError("%s was not raised" % error.__name__)


def unchanged():
    """A check that nobody wrote to the flash since this call."""
    FLASH.copy_to(IMAGES[0])
    return lambda: IMAGES[0].data == FLASH.data


def cut_during_append(how, payload=NOTE, operation=1, journal=None):
    """Power goes in the `operation`-th program of one append; a new journal on the same flash, not opened yet."""
    journal = journal or opened()
    left = [operation]

    def before(op, address, data):
        left[0] -= 1
        if not left[0]:
            nor.half_done(FLASH, op, address, data, how, nor.Dice(operation))
            raise nor.PowerCut

    FLASH.before = before
    try:
        fails(nor.PowerCut, journal.append, kinds.SPIN, payload, 0)
    finally:
        FLASH.before = None
    return Journal(FLASH)


# the proof


def test_every_cut_of_a_game_session():
    life = cuts.Life(FLASH.new(6))
    cutter = cuts.Cutter(life, hows=1 if VM else 0, images=IMAGES)
    cuts.play_game(life)
    life.check()
    assert life.last == 60
    assert not VM or cutter.points == POINTS_ON_VM[0]
    print("game session: %d cut points at %d operations" % (cutter.points, cutter.operations))


def test_cuts_of_a_ring_that_wraps_and_every_cut_of_the_recovery_after_it():
    life = cuts.Life(FLASH.new(4))
    # On CPython every one of them, and in every way, in test_journal_proof.py.
    cutter = cuts.Cutter(life, hows=1, deeper=1, every=1 if VM else 2, images=IMAGES)
    cuts.play_round_the_ring(life, 50 if VM else 120)
    life.check()
    assert FLASH.erases >= (2 if VM else 9)
    assert not VM or cutter.points == POINTS_ON_VM[1]
    print("ring of 4 sectors: %d cut points at %d operations" % (cutter.points, cutter.operations))


def test_case_38_two_hundred_cuts_at_random_moments_of_one_life():
    life = cuts.Life(FLASH.new(4))
    dice = nor.Dice(38)
    left = [0]

    def before(op, address, data):
        left[0] -= 1
        if left[0] < 0:
            options = nor.PROGRAM_CUTS if op == "program" else nor.ERASE_CUTS
            nor.half_done(FLASH, op, address, data, options[dice.below(len(options))], dice)
            raise nor.PowerCut

    FLASH.before = before
    for cut in range(POINTS_ON_VM[2]):
        left[0] = dice.below(12)
        try:
            life.open()
            life.rest()
            life.append(kinds.BOOT, cuts.payload(90, cut))
            for _ in range(12):
                life.append(kinds.SPIN, cuts.payload(dice.below(963), life.last))
                if dice.below(3) == 0:
                    life.anchor(life.last)
                life.journal.idle()
        except nor.PowerCut:
            pass
        left[0] = 1 << 20
        life.open()
        life.check()
    FLASH.before = None
    assert FLASH.erases > 10
    print("one life: 200 cut points at random moments, %d records, %d erases" % (life.last, FLASH.erases))


# torn tails


def test_case_38_cut_before_the_return_whole_or_absent_after_it_there():
    for how in nor.PROGRAM_CUTS:
        filled(4, 40)
        journal = cut_during_append(how, payload=bytes(100))
        journal.open()
        if how == "done":
            assert (journal.last, journal.torn) == (41, 0)
            assert record.decode(journal.read(41)).payload == bytes(100)
        elif how == "before":
            assert (journal.last, journal.torn) == (40, 0)
        else:
            assert (journal.last, journal.torn) == (41, 1)
            assert record.decode(journal.read(41)).kind == kinds.TORN
        assert list(journal.verify()) == list(range(1, journal.last + 1))


def test_case_39_a_torn_record_is_marked_and_new_ones_follow_it():
    filled(4, 40)
    journal = cut_during_append("40 bytes")
    journal.open()
    assert journal.torn == 1
    assert cbor.loads(record.decode(journal.read(41)).payload) == {"after": 40, "pages": 1}
    for number in (42, 43):
        assert journal.append(kinds.SPIN, NOTE, 0) == number
    journal = opened()
    assert (journal.torn, journal.damaged, journal.last) == (0, 0, 43)
    assert [found.kind for found in journal.records(40)] == [kinds.ROUND_CLOSED, kinds.TORN, kinds.SPIN, kinds.SPIN]
    assert list(journal.verify()) == list(range(1, 44))


def test_case_39_a_flipped_bit_in_record_20_is_damage_at_20_and_no_end():
    filled(4, 43)
    flip(page_of(20) + 30)
    same = unchanged()
    journal = opened()
    for _ in journal.verify():
        pass
    assert journal.damaged == 20
    assert journal.last == 43
    fails(KeyError, journal.read, 20)
    for number in range(1, 44):
        if number != 20:
            assert record.number(journal.read(number)) == number
    assert not journal.idle()
    assert same()


def test_a_record_of_four_pages_torn_at_each_of_them_is_skipped_whole():
    for operation in (1, 2, 3, 4):
        filled(4, 13)
        journal = cut_during_append("40 bytes", payload=bytes(900), operation=operation)
        journal.open()
        # it did not fit into the last three pages of sector 0
        assert (journal.last, journal.torn) == (14, operation)
        assert page_of(14) == nor.SECTOR + operation * nor.PAGE
        journal = opened()
        assert (journal.last, journal.torn) == (14, 0)
        assert list(journal.verify()) == list(range(1, 15))


def test_a_torn_first_record_of_a_new_device_is_named_too():
    FLASH.new(4)
    journal = cut_during_append("40 bytes")
    journal.open()
    assert (journal.first, journal.last, journal.torn, journal.damaged) == (1, 1, 1, 0)
    assert cbor.loads(record.decode(journal.read(1)).payload) == {"after": 0, "pages": 1}


def test_a_torn_record_in_the_last_free_sector_is_named_once_there_is_room():
    journal = filled(4, 16 * 3 + 1)
    journal.anchor(40, NOTE, 0)
    assert journal.idle()
    while journal.last < 64:
        journal.append(kinds.SPIN, NOTE, 0)
    assert journal.first == 17, "record 65 goes to sector 0, the only one that is free"
    journal = cut_during_append("40 bytes", journal=journal)
    journal.open()
    assert journal.torn == 1
    assert journal.last == 64
    assert journal.idle(), "what lies ahead is erased again"
    FLASH.copy_to(IMAGES[0])
    again = opened(IMAGES[0])
    assert again.torn == 0, "nothing is left to see, nothing was committed"
    assert journal.anchor(50, NOTE, 0) == 66
    assert cbor.loads(record.decode(journal.read(65)).payload) == {"after": 64, "pages": 1}


# damage


def test_one_flipped_bit_anywhere_before_the_newest_record_is_named_by_its_number():
    filled(4, 44, size=100)
    dice = nor.Dice(9)
    bits = (record.HEADER + 100 + record.TRAILER) * 8
    tried = 0
    for number in range(1, 44):
        start = page_of(number)
        some = range(bits) if number == 20 and not VM else [dice.below(bits) for _ in range(1 if VM else 6)]
        for bit in some:
            flip(start + bit // 8, bit % 8)
            journal = opened()
            assert (journal.torn, journal.last) == (0, 44)
            for _ in journal.verify():
                pass
            assert journal.damaged == number, (number, bit)
            flip(start + bit // 8, bit % 8)
            tried += 1
    assert not opened().damaged
    print("bit rot: %d bits" % tried)


def test_damage_in_oldest_and_newest_sectors_is_seen_by_opening_alone():
    filled(6, 16 * 4 + 5)
    for number in (1, 2, 9, 16, 50, 64, 65, 66, 68):
        start = page_of(number)
        flip(start + 60)
        journal = opened()
        assert journal.damaged == number, number
        flip(start + 60)
    assert not opened().damaged


def test_reading_backward_stops_at_damage_and_names_it():
    filled(4, 40)
    flip(page_of(20) + 30)
    journal = opened()
    assert [found.number for found in journal.backward()] == list(range(40, 20, -1))
    assert journal.damaged == 20


def forge(number, prev=None, payload=b"forged"):
    """A record with a right check sum in the place of record `number`; its address and old bytes, to put it back."""
    at = page_of(number)
    old = bytes(FLASH.data[at : at + nor.PAGE])
    buf = bytearray(record.MAX)
    prev = prev or old[record.PREV : record.HEADER]
    size = record.encode_into(buf, number, 1, kinds.ROUND_CLOSED, 0, 0, prev, payload)
    FLASH.data[at : at + size] = buf[:size]
    return at, old


def test_a_forged_record_is_found_by_the_chain_although_its_check_sum_is_right():
    journal = filled(6, 16 * 4 + 9, size=6)
    for number in range(2, 16 * 4 + 8, 7 if VM else 1):
        for prev, named in ((bytes(32), number), (None, number + 1)):
            at, old = forge(number, prev)
            journal = opened()
            by_opening = journal.damaged
            for _ in journal.verify():
                pass
            assert journal.damaged == named, number
            if number < 16 or number > 49:  # opening looks at the oldest sector and the two newest
                assert by_opening == named
            journal = opened()
            journal.damaged = 0
            for _ in journal.verify():
                pass
            assert journal.damaged == named
            journal.damaged = 0
            for _ in journal.backward():
                pass
            assert journal.damaged == named - 1 or journal.damaged == named
            FLASH.data[at : at + nor.PAGE] = old
    assert not opened().damaged


def test_the_newest_record_is_the_one_that_only_a_host_can_miss():
    filled(4, 40)
    flip(page_of(40) + 30)
    journal = opened()
    assert (journal.damaged, journal.torn, journal.last) == (0, 1, 40)
    assert cbor.loads(record.decode(journal.read(40)).payload) == {"after": 39, "pages": 1}


def test_a_flipped_bit_in_an_unused_page_is_skipped():
    journal = filled(4, 20)
    flip(nor.SECTOR + 9 * nor.PAGE + 200)  # record 26 would go there
    for _ in range(8):
        journal.append(kinds.SPIN, NOTE, 0)
    journal = opened()
    assert (journal.damaged, journal.last) == (0, 28)
    assert list(journal.verify()) == list(range(1, 29))
    assert page_of(26) == nor.SECTOR + 10 * nor.PAGE


def test_lost_sectors_are_damage_unless_all_of_them_was_anchored():
    for anchored, damaged in ((0, 1), (15, 16), (16, 0)):
        filled(6, 60, anchored)
        FLASH.erase(0)
        journal = opened()
        assert journal.damaged == damaged
        assert journal.first == 17
    filled(6, 60)
    FLASH.erase(1)
    journal = opened()
    assert journal.damaged == 17


def test_damage_in_anchored_records_beyond_the_oldest_sector_is_told_too():
    filled(6, 60, 50)
    flip(page_of(20) + 40)
    journal = opened()
    for _ in journal.verify():
        pass
    assert journal.damaged == 20


def test_a_half_erased_oldest_sector_only_moves_the_first_record():
    for how in nor.ERASE_CUTS[1:-1]:
        filled(6, 60, 30)
        nor.half_erased(FLASH, 0, how, nor.Dice(4))
        FLASH.weak.clear()
        journal = opened()
        assert journal.damaged == 0
        assert 1 < journal.first <= 17
        assert list(journal.verify()) == list(range(journal.first, 62))
        assert not journal.damaged
        assert [found.number for found in journal.backward()][-1] == journal.first


def test_weak_cells_of_an_anchored_oldest_sector_are_no_damage_when_they_give_up_later():
    filled(6, 60, 30)
    journal = opened()
    flip(page_of(5) + 9)
    assert list(journal.verify()) == list(range(1, 5)) + list(range(6, 62))
    assert (journal.damaged, journal.first) == (0, 6)
    fails(KeyError, journal.read, 5)


def test_a_record_that_rots_after_opening_is_damage_unless_its_sector_was_anchored():
    for anchored, damaged in ((0, 5), (15, 5), (16, 0)):
        filled(6, 60, anchored)
        journal = opened()
        flip(page_of(5) + 9)
        fails(KeyError, journal.read, 5)
        assert journal.damaged == damaged
        assert journal.first == (1 if damaged else 6)


def test_a_torn_tail_is_not_marked_while_there_is_damage():
    filled(4, 40)
    journal = cut_during_append("40 bytes")
    flip(page_of(36) + 61)
    same = unchanged()
    journal.open()
    assert (journal.damaged, journal.torn, journal.last) == (36, 1, 40)
    assert same()


def test_a_header_that_points_behind_the_end_of_the_flash_is_no_record():
    filled(4, 55)
    at = 4 * nor.SECTOR - nor.PAGE
    FLASH.data[at : at + 40] = FLASH.data[:40]
    FLASH.data[at + 24 : at + 26] = b"\x03\x00"
    journal = opened()
    assert (journal.last, journal.torn, journal.damaged) == (55, 9, 0)
    assert list(journal.verify()) == list(range(1, 56))


def test_a_device_full_of_foreign_bytes_is_damage_and_stays_as_it_is():
    FLASH.new(4)
    dice = nor.Dice(77)
    for at in range(0, 4 * nor.SECTOR, nor.PAGE):
        FLASH.data[at : at + nor.PAGE] = dice.bytes(nor.PAGE)
    same = unchanged()
    journal = opened()
    assert journal.damaged == 1
    assert not journal.idle()
    fails(Full, journal.append, kinds.BOOT, NOTE, 0)
    assert same()


def test_a_damaged_journal_still_takes_the_tilt_that_says_so():
    filled(6, 60, 30)
    flip(page_of(45) + 30)
    erases = FLASH.erases
    journal = opened()
    for _ in journal.verify():
        pass
    assert journal.damaged == 45
    assert journal.append(kinds.TILT, cbor.dumps({"tilt": 51, "detail": {"record": 45}}), 0) == 62
    journal = opened()
    assert journal.last == 62
    while journal.ready():
        journal.append(kinds.SPIN, NOTE, 0)
        for _ in journal.verify():
            pass
    assert not journal.idle()
    assert FLASH.erases == erases
