"""Commands for those who look after the table: mode, proof of the program, time, anchors, and what it tells."""

import hashlib

from tabletop import cbor
from tabletop.digest import hmac_sha256
from tabletop.link import schema
from tabletop.table.links import Links

try:
    from tests.vm.dealer import START, TEN, Dealer, change_mode, clear, sign
except ImportError:
    from dealer import START, TEN, Dealer, change_mode, clear, sign


def test_an_emulated_table_is_in_test_mode_and_stays_there():
    dealer = Dealer()
    dealer.hal.emulated = True
    dealer.flash.pages = [b"\xff" * 256] * len(dealer.flash.pages)
    dealer = dealer.again(emulated=True)
    assert dealer.phase == "TEST"
    assert dealer.last("BOOT")["emulated"]
    assert dealer.last("BOOT")["test"]
    assert dealer.refused("TEST_MODE", on=False) == (4006, {})
    assert dealer.send("TEST_MODE", on=True) == {"test": True}
    assert "MODE" not in dealer.kinds()


def test_an_emulated_table_whose_board_says_live_may_leave_test_mode():
    dealer = Dealer(live=True)
    dealer.flash.pages = [b"\xff" * 256] * len(dealer.flash.pages)
    dealer = dealer.again(emulated=True)
    assert dealer.phase == "TEST"
    assert change_mode(dealer, False) == {"test": False}
    assert dealer.phase == "READY"
    dealer = dealer.again(emulated=True)
    assert dealer.phase == "READY"


def test_the_mode_of_a_live_table_takes_signature_and_service_key_and_no_open_round():
    dealer = Dealer()
    assert dealer.refused("TEST_MODE", on=True) == (1008, {})
    assert dealer.refused("TEST_MODE", **sign(dealer, "TEST_MODE", on=True)) == (1009, {})
    dealer.key(True)
    signed = sign(dealer, "TEST_MODE", on=False)
    assert dealer.refused("TEST_MODE", **dict(signed, on=True)) == (1008, {})
    assert "MODE" not in dealer.kinds()
    assert dealer.send("TEST_MODE", **sign(dealer, "TEST_MODE", on=True)) == {"test": True}
    assert dealer.phase == "SERVICE"
    dealer.key(False)
    assert dealer.phase == "TEST"
    dealer.open_round([1, "10", 1000])
    for _ in range(3):
        dealer.spin("FAULT", faults=["INDEX_MISMATCH"])
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 21))
    assert dealer.phase == "SERVICE"
    assert dealer.refused("TEST_MODE", **sign(dealer, "TEST_MODE", on=False))[0] == 4001
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"


def test_test_mode_is_marked_on_display_wire_and_in_every_record_of_its_rounds():
    dealer = Dealer()
    change_mode(dealer, True)
    assert dealer.last("MODE") == {"test": True}
    assert dealer.phase == "TEST"
    dealer.open_round([1, "10", 1000])
    assert dealer.refused("TEST_MODE", on=False)[0] == 4001
    dealer.spin("SECTION", TEN)
    assert dealer.send("STATUS")["test"]
    assert dealer.table.links.identity()["test"]
    texts = set()
    for _ in range(60):
        dealer.tick(5)
        texts.add(dealer.hal.lights.texts[0])
    assert texts == {"10", "tESt"}
    for kind in ("ROUND_OPENED", "SPIN", "SETTLED"):
        assert dealer.last(kind)["test"]
    assert dealer.table.play.meters["live"]["rounds"] == 0
    assert dealer.table.play.meters["test"] == {"rounds": 1, "wagered_mills": 1000, "paid_mills": 10000}


def test_the_program_is_proved_by_seeded_and_plain_hashes():
    dealer = Dealer()
    program = b"bootmain"
    seed = b"\x07" * 20
    assert dealer.send("VERIFY", algorithm="sha256")["digest"] == hashlib.sha256(program).digest()
    assert dealer.send("VERIFY", algorithm="sha1")["digest"] == hashlib.sha1(program).digest()
    reply = dealer.send("VERIFY", algorithm="hmac-sha256", seed=seed)
    assert reply == {"digest": hmac_sha256(seed, program), "size": 8, "files": 2}
    code, detail = dealer.refused("VERIFY", algorithm="md5")
    assert code == 4009
    assert detail["choice"] == "sha256, sha1, hmac-sha256"
    assert dealer.last("BOOT")["program"] == hashlib.sha256(program).digest()
    dealer.push()
    assert dealer.refused("VERIFY", algorithm="sha256")[0] == 4001


def test_time_is_set_with_the_time_before_it_on_record():
    dealer = Dealer()
    assert "unix_ms" not in dealer.send("STATUS")
    assert dealer.send("SET_TIME", unix_ms=1772323200000) == {}
    assert dealer.last("TIME_SET") == {"unix_ms": 1772323200000, "was_ms": 0}
    dealer.hal.clock.now_ms += 1234
    assert dealer.send("STATUS")["unix_ms"] == 1772323201234
    assert dealer.send("SET_TIME", unix_ms=1772323200000) == {"was_ms": 1772323201234}
    for wrong in (-1, 253402300800000, (1 << 64) - 1):
        assert dealer.refused("SET_TIME", unix_ms=wrong)[0] == 4009
    dealer.send("SET_TIME", unix_ms=253402300799999)
    assert cbor.dumps(dealer.send("STATUS"))


def test_an_anchor_must_carry_the_hash_of_its_record():
    dealer = Dealer()
    journal = dealer.table.journal
    for _ in range(2):
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
    last = journal.last
    assert dealer.refused("ANCHOR", number=last + 1, hash=bytes(32))[0] == 1012
    assert dealer.refused("ANCHOR", number=0, hash=bytes(32))[0] == 1012
    assert dealer.refused("ANCHOR", number=last, hash=bytes(32)) == (4010, {"number": last})
    assert journal.last == last
    assert journal.anchored == 0
    assert dealer.send("ANCHOR", number=3, hash=journal.hash_of(3)) == {"anchored": 0}
    assert journal.last == last, "a small step is not worth a record"


def test_a_table_never_lets_go_of_what_a_restart_needs():
    dealer = Dealer()
    journal = dealer.table.journal
    for _ in range(3):
        dealer.open_round([1, "10", 1000])
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
    opened = journal.last + 1
    dealer.open_round([1, "10", 1000])
    reply = dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    assert reply["anchored"] == journal.anchored
    assert 16 <= journal.anchored < opened
    anchor = dealer.last("ANCHOR")
    assert anchor == {"number": journal.anchored, "hash": journal.hash_of(journal.anchored)}
    assert journal.anchored < [n for n, record in enumerate(dealer.records(), 1) if record[0] == "SETTLED"][-1]


def test_every_reply_has_the_fields_that_the_schema_declares():
    dealer = Dealer()
    calls = [
        ("PING", {"echo": b"x"}), ("STATUS", {}), ("SELF_TEST", {}), ("STATISTICS", {}),
        ("VERIFY", {"algorithm": "sha1"}), ("CHALLENGE", {}), ("DISPLAY", {}),
        ("SET_TIME", {"unix_ms": 5}),
        ("SET_TIME", {"unix_ms": 6}), ("OPEN_BETS", {}), ("WAGER", {"bets": [[1, "10", 1000]]}), ("NO_MORE_BETS", {}),
        ("STATUS", {}), ("VOID", {"reason": "x"}),
    ]  # fmt: skip
    for name, args in calls:
        number = schema.number_of(name)
        assert schema.check(number, args, True) == "", name
        reply = dealer.send(name, **args)
        assert schema.check(number | 0x80, reply, True) == "", (name, reply)
    dealer.tick()
    assert schema.check(schema.number_of("TEST_MODE") | 0x80, change_mode(dealer, True), True) == ""
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    for name in ("STATUS", "SETTLE"):
        assert schema.check(schema.number_of(name) | 0x80, dealer.send(name), True) == "", name
    live = dict(dealer.table.commands.live(1), dropped=0)
    assert schema.check(schema.number_of("LIVE"), live, True) == ""


def test_test_mode_is_marked_in_everything_that_tells_of_the_table():
    dealer = Dealer()
    for test in (False, True):
        if test:
            change_mode(dealer, True)
        assert dealer.table.links.identity()["test"] is test
        assert dealer.send("STATUS")["test"] is test
        assert dealer.table.commands.live(1)["test"] is test


def test_the_self_test_names_each_part():
    dealer = Dealer()
    reply = dealer.send("SELF_TEST")
    assert reply["passed"]
    assert sorted(reply["results"]) == ["codec", "digest", "journal", "rng", "rules", "sensors", "settings"]
    assert set(reply["results"].values()) == {"ok"}
    assert dealer.phase == "READY"


def test_a_failed_self_test_is_a_tilt():
    dealer = Dealer()

    def poll(_sensor):
        raise OSError("no encoder")

    poll_before, dealer.hal.wheel.poll = dealer.hal.wheel.poll, poll
    reply = dealer.send("SELF_TEST")
    dealer.hal.wheel.poll = poll_before
    assert not reply["passed"]
    assert reply["results"]["sensors"] == "OSError no encoder"
    assert dealer.phase == "TILT"
    assert dealer.last("TILT")["detail"] == {"test": "sensors", "reason": "OSError no encoder"}


def test_the_round_that_a_restart_took_up_is_never_let_go():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    opened = dealer.table.records.round_opened
    for _ in range(8):
        dealer.spin("SHORT_SPIN", turns_milli=900)
    dealer = dealer.again()
    for _ in range(4):
        dealer.spin("SHORT_SPIN", turns_milli=900)
    journal = dealer.table.journal
    dealer.send("ANCHOR", number=journal.last, hash=journal.head)
    assert journal.anchored < opened


def test_an_emulated_table_that_is_no_longer_live_is_back_in_test_mode():
    dealer = Dealer(live=True)
    dealer.hal.emulated = True
    assert dealer.phase == "READY"
    dealer.board = {"live": False}
    dealer = dealer.again(emulated=True)
    assert dealer.phase == "TEST"
    assert dealer.last("BOOT")["test"]


def test_flash_is_not_erased_while_a_frame_may_be_under_way():
    dealer = Dealer()
    waiting = []

    class Port:
        def readinto(self, buf):
            if not waiting:
                return 0
            buf[0] = waiting.pop()
            return 1

        def write(self, view):
            return len(view)

    links = Links([Port()], dealer.table)
    for now_ms in (1000, (1 << 30) - 20):
        waiting.append(0x55)
        links.serve(now_ms, now_ms)
        assert not links.quiet(now_ms)
        assert not links.quiet((now_ms + 49) & 0x3FFFFFFF)
        assert links.quiet((now_ms + 50) & 0x3FFFFFFF)
        assert links.quiet((now_ms + 50 + (1 << 29)) & 0x3FFFFFFF), "not even after half a period of the clock"


def test_a_restart_takes_signature_key_and_rest_and_comes_when_the_reply_has_gone():
    dealer = Dealer()
    reasons = []
    dealer.hal.reset = reasons.append
    assert dealer.refused("RESTART", reason="CONSOLE") == (1008, {})
    assert dealer.refused("RESTART", **sign(dealer, "RESTART", reason="CONSOLE")) == (1009, {})
    dealer.key(True)
    assert dealer.refused("RESTART", **sign(dealer, "RESTART", reason="FORMAT"))[0] == 4009
    signed = sign(dealer, "RESTART", reason="HOST")
    assert dealer.refused("RESTART", **dict(signed, reason="CONSOLE")) == (1008, {}), "signed for something else"
    dealer.sensor.moving = True
    assert dealer.refused("RESTART", **sign(dealer, "RESTART", reason="CONSOLE"))[0] == 4001
    dealer.sensor.moving = False
    assert dealer.send("RESTART", **sign(dealer, "RESTART", reason="CONSOLE")) == {}
    dealer.tick(19)
    assert reasons == []
    dealer.tick(2)
    assert reasons[0] == "CONSOLE"


def test_nothing_is_begun_any_more_once_a_restart_was_answered():
    for way in ("command", "button"):
        dealer = None
        dealer = Dealer()
        dealer.key(True)
        dealer.send("RESTART", **sign(dealer, "RESTART", reason="UPDATE"))
        dealer.key(False)
        assert dealer.phase == "READY"
        if way == "button":
            dealer.press(START)
        else:
            for name, args in (("OPEN_BETS", {}), ("SELF_TEST", {}), ("RNG_RAW", {"bits": 8})):
                code, detail = dealer.refused(name, **args)
                assert (code, detail["command"]) == (4001, name)
                assert "restarts" in detail["advice"]
            assert dealer.send("STATUS")["phase"] == "READY", "the host may look on"
        dealer.tick(20)
        assert (dealer.phase, dealer.hal.resets[0]) == ("READY", "UPDATE")
        assert "ROUND_OPENED" not in dealer.kinds()


def test_no_restart_in_a_round():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    assert dealer.refused("RESTART", reason="HOST")[0] == 4001


def test_case_19_no_sector_is_erased_while_a_frame_comes_in():
    class Port:
        left = 600

        def readinto(self, buf):
            if not self.left:
                return 0
            self.left -= 1
            buf[0] = 0x55
            return 1

        def write(self, data):
            return len(data)

    dealer = Dealer()
    port = Port()
    erased = []
    dealer.table.journal.idle = lambda: erased.append(port.left)
    dealer.tick(30)
    assert erased, "at rest the journal makes room"
    del erased[:]
    dealer.table.links = Links([port], dealer.table)
    while port.left:
        dealer.tick(1)
        assert not erased, "interrupts are off in an erase, and the UART's 32 bytes are full after 2.8 ms"
    dealer.tick(30)
    assert erased
