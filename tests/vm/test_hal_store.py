"""The virtual flash: bits are only cleared by programming and only set by erasing; power may fail half-way."""

import os

from tabletop.hal.virtual.store import POWER_CUT, Store

FOLDER = "build"
PATH = FOLDER + "/store-" + "".join(["%02x" % byte for byte in os.urandom(6)]) + ".bin"
SECTORS = 4


def flash(*cut):
    try:
        os.mkdir(FOLDER)
    except OSError:
        pass
    return Store(PATH, SECTORS, *cut)


def forget():
    try:
        os.remove(PATH)
    except OSError:
        pass


def content(store, addr, n):
    buf = bytearray(n)
    store.read(addr, buf)
    return bytes(buf)


def refused(call, *arguments):
    try:
        call(*arguments)
    except ValueError:
        return True
    return False


def cut_off(call, *arguments):
    try:
        call(*arguments)
    except SystemExit as end:
        return end.args == (POWER_CUT,)
    return False


def test_new_flash_is_blank_and_keeps_what_is_programmed():
    forget()
    store = flash()
    assert content(store, 0, 4096) == b"\xff" * 4096
    store.program(4096, b"journal")
    store.close()
    store = flash()
    assert content(store, 4094, 10) == b"\xff\xffjournal\xff"
    store.close()
    forget()


def test_programming_only_clears_bits_and_erasing_sets_a_whole_sector():
    forget()
    store = flash()
    store.program(256, b"\xf0\x0f")
    store.program(256, b"\x3c\xff\x55")
    assert content(store, 255, 5) == b"\xff\x30\x0f\x55\xff"
    store.program(4096, b"\x00")
    store.erase(0)
    assert content(store, 255, 5) == b"\xff" * 5
    assert content(store, 4096, 1) == b"\x00"
    assert store.calls == 4
    store.close()
    forget()


def test_addresses_outside_and_pages_crossed_are_refused():
    forget()
    store = flash()
    assert refused(store.program, 250, b"1234567")
    assert not refused(store.program, 249, b"1234567")
    assert refused(store.read, SECTORS * 4096 - 3, bytearray(4))
    assert refused(store.erase, SECTORS)
    assert refused(store.program, -1, b"1")
    store.close()
    forget()


def test_an_image_of_another_size_is_refused_and_left_as_it_is():
    forget()
    flash().close()
    assert refused(Store, PATH, SECTORS + 1)
    assert os.stat(PATH)[6] == SECTORS * 4096
    forget()


def test_power_fails_in_the_chosen_operation_with_a_part_done_and_stays_off():
    forget()
    store = flash(3, 50)
    store.program(0, b"abcd")
    store.erase(1)
    assert cut_off(store.program, 256, b"efgh")
    assert cut_off(store.program, 512, b"ijkl")
    assert cut_off(store.erase, 0)
    store.close()
    store = flash()
    assert content(store, 0, 4) == b"abcd"
    assert content(store, 256, 4) == b"ef\xff\xff"
    assert content(store, 512, 4) == b"\xff" * 4
    store.close()
    forget()


def test_a_cut_erase_leaves_the_rest_of_the_sector():
    forget()
    store = flash(3, 50)
    store.program(0, b"\x00")
    store.program(4000, b"\x00")
    assert cut_off(store.erase, 0)
    store.close()
    store = flash()
    assert content(store, 0, 1) == b"\xff"
    assert content(store, 4000, 1) == b"\x00"
    store.close()
    forget()


def test_a_cut_after_the_last_byte_leaves_the_operation_whole():
    forget()
    store = flash(1, 100)
    assert cut_off(store.program, 0, b"abcd")
    store.close()
    store = flash()
    assert content(store, 0, 4) == b"abcd"
    store.close()
    forget()
