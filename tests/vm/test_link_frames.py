"""Frames out of any byte stream: the field cases of serial links, on both interpreters."""

from tabletop.link.frames import Decoder, Encoder

LIMIT = 1100


class Wire:
    """A decoder, and the frames it found."""

    def __init__(self):
        self.came = []
        self.decoder = Decoder(LIMIT, self.take)

    def take(self, kind, session, sequence, payload):
        self.came.append((kind, session, sequence, bytes(payload)))

    def feed(self, data, chunk=0):
        data = bytearray(data)
        for at in range(0, len(data), chunk or len(data) or 1):
            piece = data[at:at + (chunk or len(data))]
            self.decoder.feed(piece, len(piece))
        return self

    def dropped(self):
        decoder = self.decoder
        return decoder.too_short + decoder.too_long + decoder.bad_cobs + decoder.bad_crc + decoder.bad_type


def frame(sequence=1, payload=b"\xa0", kind=0x10):
    return bytes(Encoder(LIMIT).frame(kind, 0x1A2B3C4D, sequence, payload))


def noise(n, seed=1):
    """`n` pseudo-random bytes, the same on both interpreters."""
    out = bytearray(n)
    for at in range(n):
        seed = (seed * 75 + 74) % 65537
        out[at] = seed >> 3 & 0xFF
    return out


def test_a_frame_has_the_bytes_of_the_page():
    assert frame(2) == bytes.fromhex("06101a2b3c4d01010702a06133488f00")


def test_frames_come_whole_however_the_bytes_are_cut():
    data = frame(1) + frame(2, bytes(300)) + frame(3, b"\x55" * 600)
    for chunk in (1, 2, 7, 64, 254, 255, 1000):
        wire = Wire().feed(data, chunk)
        assert [came[2] for came in wire.came] == [1, 2, 3], chunk
        assert wire.came[1][3] == bytes(300)
        assert wire.came[2][3] == b"\x55" * 600
        assert wire.dropped() == 0


def test_case_10_one_stray_byte_costs_one_frame_at_most():
    wire = Wire().feed(b"\x55" + frame(1) + frame(2) + frame(3))
    assert [came[2] for came in wire.came] == [2, 3]
    assert wire.dropped() == 1


def test_case_10_inner_zeros_and_codes_past_the_end_are_refused():
    wire = Wire().feed(b"\x02\x00\x05\x11\x22\x00")
    assert wire.dropped() == 2
    long_enough = bytearray(frame(1))
    long_enough[0] = 0x20
    wire.feed(long_enough + b"\x20" + b"\x11" * 15 + b"\x00")
    assert wire.decoder.bad_cobs == 2
    assert wire.came == []


def test_case_10_runs_of_254_are_read_in_both_spellings_and_sent_in_the_shorter():
    head = 9
    for run in (253, 254, 255, 508, 509):
        # a body without any zero: type, session, sequence, payload and CRC all non-zero
        for fill in range(1, 256):
            payload = bytes([fill]) * (run - head - 4)
            data = bytes(Encoder(LIMIT).frame(1, 0x01010101, 0x01010101, payload))
            if 0 not in data[:-1] and data[0] == min(run + 1, 255):
                break
        assert len(data) == run + (run + 253) // 254 + 1
        assert Wire().feed(data).came == [(1, 0x01010101, 0x01010101, payload)], run
        longer = data[:-1] + b"\x01\x00"
        wire = Wire().feed(longer)
        if run % 254:
            assert wire.came == [], "a 01 more is another body there"
        else:
            assert wire.came == [(1, 0x01010101, 0x01010101, payload)], run


def test_case_11_a_corrupted_first_code_costs_that_frame_only():
    for code in (0xFF, 0x02, 0x7F):
        damaged = bytearray(frame(1))
        damaged[0] = code
        wire = Wire().feed(damaged + frame(2) + frame(3))
        assert [came[2] for came in wire.came] == [2, 3], code
        assert wire.dropped() == 1


def test_case_11_a_lost_delimiter_costs_the_two_frames_it_joins():
    wire = Wire().feed(frame(1)[:-1] + frame(2) + frame(3))
    assert [came[2] for came in wire.came] == [3]


def test_case_12_zeros_and_other_short_frames_are_no_messages():
    for decoded in (bytes(6), b"\xff\xff\x00\x00", bytes(13)):
        coded = bytearray()
        for run in decoded.split(b"\x00"):
            coded.append(len(run) + 1)
            coded.extend(run)
        wire = Wire().feed(coded + b"\x00")
        assert wire.came == []
        assert wire.decoder.too_short == 1
    wire = Wire().feed(b"\x01" * 14 + b"\x01" * 10 + b"\x00")
    assert wire.decoder.bad_type == 1, "long enough, all zero: type 0, whatever its CRC"


def test_case_12_type_0_is_no_message_even_with_a_right_check_sum():
    wire = Wire().feed(frame(kind=0))
    assert wire.came == []
    assert wire.decoder.bad_type == 1


def test_every_single_bit_error_is_caught():
    data = frame(7, b"\xa1\x64echo\x43\x00\xff\x00"[:9])
    for bit in range(8 * (len(data) - 1)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        assert Wire().feed(damaged).came == [], bit


def test_every_truncation_is_dropped():
    data = frame(7, bytes(20))
    for n in range(1, len(data) - 1):
        wire = Wire().feed(data[:n] + b"\x00" + data)
        assert len(wire.came) == 1, n
        assert wire.dropped() == 1


def test_frames_of_all_sizes_come_back_and_larger_ones_are_bounded():
    for n in (1, 2, 200, 240, 241, 242, 243, 253, 254, 255, 500, LIMIT - 13):
        for payload in (bytes(n), b"\xa7" * n, bytes(range(1, 255)) * 5):
            payload = payload[:n]
            assert Wire().feed(frame(1, payload)).came == [(0x10, 0x1A2B3C4D, 1, payload)]
    wire = Wire().feed(b"\x11" * 5000, 100)
    wire.feed(b"\x00" + frame(1))
    assert wire.decoder.too_long == 1
    assert len(wire.came) == 1
    try:
        frame(1, bytes(LIMIT - 12))
    except ValueError:
        return
    raise AssertionError("too large a body was sent")


def test_case_18_a_line_held_low_is_counted_and_the_next_frame_is_read():
    wire = Wire().feed(bytes(20000), 512)
    assert wire.decoder.empty == 20000
    assert wire.feed(frame(1)).came
    assert wire.dropped() == 0


def counts(wire):
    decoder = wire.decoder
    return [decoder.bytes, decoder.empty, decoder.too_short, decoder.bad_cobs, decoder.bad_crc]


def test_noise_of_tiny_pieces_is_counted_in_bulk_as_it_is_piece_by_piece():
    mixed = noise(4096, 5)
    for at in range(0, 4096, 3):
        mixed[at] = 0
    for kind in (b"\x01\x00" * 2048, b"\x02\x55\x00" * 1365, bytes(2000) + b"\x01\x00\x00" * 700, mixed,
                 b"\x0e" * 14 + b"\x00" + b"\x0f" * 15 + b"\x00" + b"\x05" * 3, b"\x01" * 20 + b"\x00" + bytes(40)):
        whole = Wire().feed(kind, 512).feed(frame(1))
        bytewise = Wire().feed(kind, 1).feed(frame(1))
        assert counts(whole) == counts(bytewise)
        assert whole.came == bytewise.came


def test_ten_megabytes_of_noise_leave_the_next_frame_readable():
    wire = Wire()
    for kind in (noise(8192), noise(8192, 77), b"\x11" * 8192, noise(4096) + b"\x00" * 4096):
        for _ in range(320):
            block = bytearray(kind)
            wire.decoder.feed(block, len(block))
    assert wire.decoder.bytes == 10 * 1024 * 1024
    assert wire.came == []
    wire.feed(b"\x00" + frame(5))
    assert [came[2] for came in wire.came] == [5]


def test_a_stream_of_good_frames_needs_no_memory_to_stay():
    import gc

    wire = Wire()
    stream = frame(1) + b"\x55\x00" + frame(2)
    wire.feed(stream)
    if not hasattr(gc, "mem_alloc"):
        return
    wire.came = []
    wire.take = wire.decoder._on_frame = lambda *words: None
    gc.collect()
    before = gc.mem_alloc()
    for _ in range(1000):
        wire.feed(stream)
    gc.collect()
    assert gc.mem_alloc() - before < 256


def test_noise_costs_no_memory():
    import gc

    wire = Wire()
    block = noise(4096)
    wire.feed(block)
    if not hasattr(gc, "mem_alloc"):
        return
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    wire.decoder.feed(block, len(block))
    used = gc.mem_alloc() - before
    gc.enable()
    assert used < 1024, used
