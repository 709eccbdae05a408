"""docs/protocol.md and the golden frames say what the schema says, and both codecs make the same bytes of it."""

from __future__ import annotations

import json
import re
from typing import Any

import cbor2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tabletop import cbor, codes
from tabletop.journal import record
from tabletop.link import endpoint, events, frames, schema
from wheelwright import following, round_trip, session
from wheelwright.framing import Frame, Framer, encode

from tests.conftest import ROOT, examples

PAGE = (ROOT / "docs" / "protocol.md").read_text()
GOLDEN = json.loads((ROOT / "tests" / "data" / "golden" / "link.json").read_text())
TOKEN = int(GOLDEN["session"], 16)


def from_json(value: Any) -> Any:
    """JSON has no bytes: they stand as {"hex": "..."}."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"]) if set(value) == {"hex"} else {k: from_json(v) for k, v in value.items()}
    return [from_json(item) for item in value] if isinstance(value, list) else value


def number_of(message: str) -> int:
    name, *reply = message.split()
    return schema.number_of(name) | (schema.REPLY if reply else 0)


def decode(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """What the firmware's decoder makes of these bytes."""
    decoder, came = device_decoder()
    decoder.feed(bytearray(data), len(data))
    return came


def device_decoder() -> tuple[frames.Decoder, list[tuple[int, int, int, bytes]]]:
    """The firmware's decoder, and the list in which its frames appear."""
    came: list[tuple[int, int, int, bytes]] = []

    def on_frame(kind: int, sid: int, sequence: int, payload: memoryview) -> None:
        came.append((kind, sid, sequence, bytes(payload)))

    return frames.Decoder(schema.FRAME, on_frame), came


@pytest.mark.parametrize("golden", GOLDEN["frames"], ids=lambda g: f"{g['message']} {g['sequence']}")
def test_golden_bytes_of_every_message(golden: dict[str, Any]) -> None:
    number, payload = number_of(golden["message"]), from_json(golden["payload"])
    data = bytes.fromhex(golden["frame"])
    assert schema.check(number, payload, True) == ""
    spelled = cbor.dumps(payload)
    assert bytes(frames.Encoder(schema.FRAME).frame(number, TOKEN, golden["sequence"], spelled)) == data
    assert encode(Frame(number, TOKEN, golden["sequence"], cbor2.dumps(payload, canonical=True))) == data
    assert decode(data) == [(number, TOKEN, golden["sequence"], spelled)]
    assert Framer().feed(data) == [Frame(number, TOKEN, golden["sequence"], spelled)]
    assert cbor.loads(spelled) == payload == cbor2.loads(spelled)


def test_no_message_and_no_field_is_without_golden_bytes() -> None:
    shown: dict[int, set[str]] = {}
    for golden in GOLDEN["frames"]:
        shown.setdefault(number_of(golden["message"]), set()).update(golden["payload"])
    assert set(shown) == set(schema.numbers())
    for number, fields in shown.items():
        assert fields == {name for name, _, _ in schema.fields_of(number)}, schema.name_of(number)


def table_rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading of the page, without its header."""
    section = re.split(r"^#+ ", PAGE.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def spelled_fields(number: int) -> str:
    fields = schema.fields_of(number)
    return ", ".join(f"{name}{'?' if optional else ''} {kind}" for name, kind, optional in fields) or "-"


def test_the_page_lists_every_message_as_the_schema_has_it() -> None:
    page = {row[1]: row for row in table_rows("All messages")}
    expected = {}
    for number in schema.numbers():
        if not schema.is_reply(number):
            replies = (number | schema.REPLY) in schema.numbers() and schema.is_reply(number | schema.REPLY)
            name = schema.name_of(number)
            core = "yes" if schema.is_core(number) else "no"
            reply = spelled_fields(number | schema.REPLY) if replies else "none"
            expected[name] = [f"{number:02x}", name, core, str(schema.since(number)), spelled_fields(number), reply]
    assert {name: row[:6] for name, row in page.items()} == expected
    assert all(len(row) == 7 and row[6] for row in page.values()), "each says what it does"


def test_a_change_of_the_messages_is_deliberate() -> None:
    text = schema.schema_hash().hex()
    assert f"`{text}`" in PAGE, f"the messages have changed: put their new hash {text} into docs/protocol.md"
    assert GOLDEN["frames"][0]["payload"]["schema"]["hex"] == text, "and into the golden HELLO and its reply"


def test_the_page_has_the_numbers_of_the_code() -> None:
    code = {
        "protocol version": schema.PROTOCOL, "window": schema.WINDOW, "frame": schema.FRAME,
        "event window": events.WINDOW, "event wait": events._WAIT_MS, "longest event wait": events._WAIT_MOST_MS,
        "host silent": endpoint._HOST_SILENT_MS, "live values": endpoint._LIVE_MOST_HZ,
        "HELLO again": round(session.HELLO_EVERY_S * 1000), "first wait": round(round_trip.FIRST_S * 1000),
        "shortest wait": round(round_trip.LEAST_S * 1000), "longest wait": round(round_trip.MOST_S * 1000),
        "tries": session.TRIES, "keep alive": round(session.KEEPALIVE_S * 1000),
        "acknowledge after": following.ACK_AFTER, "acknowledge within": round(following.ACK_AFTER_S * 1000),
        "nesting": cbor._DEPTH,
    }  # fmt: skip
    page = {row[0]: int(row[1]) for row in table_rows("Numbers")}
    assert page == code


def test_the_page_lists_the_refusals_of_the_link() -> None:
    page = {int(row[0]): row[1] for row in table_rows("Refusals of the link")}
    answers = (
        endpoint._UNKNOWN_TYPE, endpoint._BAD_PAYLOAD, endpoint._NO_SESSION, endpoint._TOO_LARGE,
        endpoint._INCOMPATIBLE, endpoint._COMMAND_FAILED, endpoint._NO_SUCH_RECORD,
    )  # fmt: skip
    assert page == {code: codes.ERRORS[code][0] for code in answers}


def test_the_page_lists_the_counters() -> None:
    page = [row[0] for row in table_rows("Counters")]
    counters = endpoint.Endpoint(None, None, None).statistics()
    assert page == list(counters)


def test_the_frame_taken_apart_on_the_page_is_a_golden_frame() -> None:
    shown = re.search(r"```\n(00 )?((?:[0-9a-f]{2}[ \n])+)```", PAGE)
    assert shown is not None
    frame = bytes.fromhex(shown.group(2).replace("\n", " "))
    assert frame.hex() in [golden["frame"] for golden in GOLDEN["frames"]]


# both codecs against each other, on anything

@settings(max_examples=examples(200))
@given(kind=st.integers(1, 255), sid=st.integers(0, 2**32 - 1), seq=st.integers(0, 2**32 - 1),
       payload=st.binary(min_size=1, max_size=schema.FRAME - 13) | st.integers(240, 1087).map(lambda n: b"\x01" * n))
def test_both_encoders_make_the_same_bytes_and_both_decoders_read_them(
    kind: int, sid: int, seq: int, payload: bytes
) -> None:
    data = encode(Frame(kind, sid, seq, payload))
    assert bytes(frames.Encoder(schema.FRAME).frame(kind, sid, seq, payload)) == data
    assert decode(data) == [(kind, sid, seq, payload)] == [tuple(frame) for frame in Framer().feed(data)]


@settings(max_examples=examples(200))
@example([b"\x01" * 15 + b"\x00"], 1)
@example([bytes(frames.Encoder(40).frame(0, 1, 2, b"\xa0"))], 64)
@given(st.lists(st.binary(max_size=300) | st.binary(min_size=1, max_size=40).map(lambda p: encode(Frame(7, 1, 2, p)))),
       st.integers(1, 64))
def test_both_decoders_find_the_same_frames_in_any_stream(pieces: list[bytes], chunk: int) -> None:
    stream = b"".join(pieces)
    framer, came = Framer(), []
    decoder, device = device_decoder()
    for at in range(0, len(stream), chunk):
        piece = bytearray(stream[at:at + chunk])
        came += framer.feed(bytes(piece))
        decoder.feed(piece, len(piece))
    assert [tuple(frame) for frame in came] == device
    assert decoder.bytes == framer.bytes == len(stream)
    assert decoder.too_short + decoder.too_long + decoder.bad_cobs + decoder.bad_type == framer.bad_frame
    assert decoder.bad_crc == framer.bad_crc


class Watched(bytearray):
    """A chunk that knows how often it was searched."""

    searches = 0

    def find(self, *words: Any) -> int:
        self.searches += 1
        return super().find(*words)

    def rfind(self, *words: Any) -> int:
        self.searches += 1
        return super().rfind(*words)


@pytest.mark.parametrize("piece", [b"\x00", b"\x01\x00", b"\x02\x55\x00"])
def test_case_11_tiny_pieces_keep_the_next_frame_no_longer_than_their_bytes(piece: bytes) -> None:
    decoder, came = device_decoder()
    chunk = Watched(piece * 600)
    decoder.feed(chunk, len(chunk))
    assert decoder.empty + decoder.too_short == 600
    assert chunk.searches < len(chunk) / 10, "in strides, not piece by piece"
    last = bytearray(encode(Frame(7, 1, 2, b"\xa0")))
    decoder.feed(last, len(last))
    assert came == [(7, 1, 2, b"\xa0")]


CHANGES_NOTHING = {
    "HELLO", "ACK", "PING", "STATUS", "STATISTICS", "VERIFY", "CHALLENGE", "DISPLAY", "SUBSCRIBE", "TELEMETRY",
    "RNG_RAW", "RNG_OUTCOMES", "DUMP", "GAMES",
}  # fmt: skip
MOST_BYTES = {  # of a value in an answer
    "int": 9, "bool": 1, ("VOID", "what"): 1 + len("DISPUTE"), ("CLEAR_TILT", "tilts"): 3 + 9 * len(codes.TILTS),
    ("GIVE", "step"): 1 + len("VALIDATE"),
    ("SELF_TEST", "results"): record.MAX_PAYLOAD,  # it is in the record that was written before
    ("PROBE", "data"): 3 + 512, ("LINKED", "nonce"): 1 + 16,
    "map": record.MAX_PAYLOAD // 2,  # two of them are in one record
}  # fmt: skip


def test_the_answer_to_a_command_that_changed_something_fits_a_frame_always() -> None:
    """Else it would be answered with E-1007, as if it had been refused."""
    looked_at = 0
    for number in schema.numbers():
        name = schema.name_of(number)
        if not schema.is_reply(number) or name in CHANGES_NOTHING:
            continue
        size = 1
        for field, kind, _optional in schema.fields_of(number):
            size += 2 + len(field) + (MOST_BYTES.get((name, field)) or MOST_BYTES[kind])
        assert size <= schema.FRAME - frames.HEADER - 4, name
        looked_at += 1
    assert looked_at > 15


def test_a_body_above_the_limit_is_never_sent() -> None:
    encoder = frames.Encoder(schema.FRAME)
    assert encoder.frame(1, 0, 0, bytes(schema.FRAME - 13))
    with pytest.raises(ValueError, match="too large"):
        encoder.frame(1, 0, 0, bytes(schema.FRAME - 12))


@pytest.mark.parametrize("number", schema.numbers())
def test_a_payload_is_checked_field_by_field(number: int) -> None:
    good = next(from_json(g["payload"]) for g in GOLDEN["frames"] if number_of(g["message"]) == number)
    for name, kind, optional in schema.fields_of(number):
        wrong: Any = 1 if kind != "int" else True
        if name in good:
            assert schema.check(number, {**good, name: wrong}) == name
            without = {key: value for key, value in good.items() if key != name}
            assert schema.check(number, without) == ("" if optional else name)
    assert schema.check(number, {**good, "added": 1}, True) == "added"
    assert schema.check(number, {**good, "added": 1}) == ("" if schema.is_core(number) else "added")
    assert schema.check(number, [good]) == "(payload)"
