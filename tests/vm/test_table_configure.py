"""Configuration and corrections: all or nothing, signed, recorded, and there after a restart."""

from tabletop.journal import kinds

try:
    from tests.vm.dealer import TEN, Dealer, Flash, clear, configuration, sign
except ImportError:
    from dealer import TEN, Dealer, Flash, clear, configuration, sign


def in_service(flash=None, **how):
    dealer = Dealer(flash, **how)
    dealer.key(True)
    return dealer


def correct(dealer, record, second="", operator="ann"):
    args = {"record": record, "text": "seat 1 was paid", "reason": "counted again", "operator": operator}
    if second:
        args["second"] = second
    return sign(dealer, "CORRECT", **args)


def test_a_configuration_is_recorded_used_at_once_and_still_there_after_restarts():
    dealer = in_service()
    number = dealer.send("CONFIGURE", **configuration(dealer, {"max_mills": 2000, "settled_show_ms": 100}))["record"]
    assert dealer.last("CONFIGURED") == {
        "settings": {"max_mills": 2000, "settled_show_ms": 100}, "operator": "ann",
    }  # fmt: skip
    for _ in range(3):
        dealer.key(False)
        dealer.send("OPEN_BETS")
        assert dealer.refused("WAGER", bets=[[1, "10", 2001]]) == (3003, {"mills": 2001, "limit": 2000})
        dealer.send("VOID", reason="")
        dealer = dealer.again()
        assert number in dealer.table.records.kept
        assert number in dealer.last("BOOT")["kept"]


def test_a_wrong_configuration_is_refused_whole_with_key_and_limit_and_the_old_one_stays():
    dealer = in_service()
    before = dealer.table.journal.last
    for settings, words in (
        ({"min_mills": 2000, "colour": 1}, ("colour",)),
        ({"seats": "7"}, ("seats", "7")),
        ({"seats": True}, ("seats",)),
        ({"min_turns": 2}, ("min_turns", "3 to 20")),
        ({"min_turns": 21, "seats": 5}, ("min_turns", "20")),
        ({"max_mills": 0}, ("max_mills", "from 1")),
        ({"min_mills": 5000, "max_mills": 4000}, ("max_mills", "min_mills 5000")),
        ({"game": "roulette"}, ("roulette",)),
        ({"game": 5}, ("game",)),
        ({"settled_show_ms": 600001}, ("settled_show_ms", "600000")),
    ):
        code, detail = dealer.refused("CONFIGURE", **configuration(dealer, settings))
        assert code == 4011
        for word in words:
            assert word in detail["reason"], detail
    assert dealer.table.journal.last == before
    assert dealer.table.settings.rules == dealer.table.settings.game.DEFAULTS
    assert dealer.table.settings.min_turns == 3


def test_who_signed_a_configuration_is_in_its_record_and_stays_there():
    dealer = in_service()
    settings = {"game": "dreamcatcher", "max_mills": 2000}
    signed = {"signer": bytes(range(32)), "hash": b"\xff" * 32}
    args = configuration(dealer, settings)
    args = sign(dealer, "CONFIGURE", settings=settings, sum=args["sum"], operator="a" * 64, **signed)
    dealer.send("CONFIGURE", **args)
    assert dealer.last("CONFIGURED") == {"settings": settings, "operator": "a" * 64, "signer": signed["signer"],
                                         "hash": signed["hash"]}  # fmt: skip
    for field in ("signer", "hash"):
        wrong = dict(signed)
        wrong[field] = b"\0" * 31
        args = sign(dealer, "CONFIGURE", settings=settings, sum=args["sum"], operator="ann", **wrong)
        assert dealer.refused("CONFIGURE", **args)[0] == 4009


def test_a_configuration_with_a_bad_check_sum_or_signature_is_refused():
    dealer = in_service()
    args = sign(dealer, "CONFIGURE", settings={"seats": 5}, sum=1, operator="ann")
    code, detail = dealer.refused("CONFIGURE", **args)
    assert (code, "check sum" in detail["reason"]) == (4011, True)
    assert dealer.refused("CONFIGURE", **configuration(dealer, {"seats": 5}, bytes(32))) == (1008, {})
    dealer.key(False)
    assert dealer.refused("CONFIGURE", **configuration(dealer, {"seats": 5}))[0] == 4001
    assert dealer.table.settings.rules["seats"] == 7


def test_nothing_that_an_open_round_goes_by_is_changed_under_it():
    # a round that was opened with five turns met a sensor of three, and its journal was a contradiction for good
    dealer = in_service()
    dealer.send("CONFIGURE", **configuration(dealer, {"min_turns": 5, "seats": 6}))
    dealer.key(False)
    dealer.open_round([1, "10", 1000])
    for again in (False, True):
        dealer = dealer.again() if again else dealer
        dealer.table.stop(61, {"test": "made up"})
        dealer.key(True)
        for settings in ({"seats": 6}, {"min_turns": 5}, {"min_turns": 5, "seats": 6, "max_mills": 2000}):
            code, detail = dealer.refused("CONFIGURE", **configuration(dealer, settings))
            assert (code, detail["command"]) == (4001, "CONFIGURE"), settings
        dealer.send("CONFIGURE", **configuration(dealer, {"min_turns": 5, "seats": 6, "settled_show_ms": 100 + again}))
        dealer.send("CLEAR_TILT", **clear(dealer, 61))
        dealer.key(False)
    dealer.send("VOID", reason="the end of the test")
    dealer.key(True)
    dealer.send("CONFIGURE", **configuration(dealer, {"seats": 6}))


def test_a_configuration_outlives_its_own_record_in_a_ring_that_is_pulled():
    dealer = in_service(Flash(16))
    dealer.send("CONFIGURE", **configuration(dealer, {"max_mills": 2000}))
    dealer.key(False)
    for _ in range(45):
        dealer.open_round([1, "10", 1000])
        dealer.tick(5, 110)
        dealer.spin("SECTION", TEN)
        dealer.send("SETTLE")
        dealer.pass_time(6000)
        dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        dealer.tick(20, 50)
    assert dealer.table.journal.first > 30
    dealer = dealer.again()
    assert dealer.table.settings.rules["max_mills"] == 2000
    assert dealer.last("CONFIGURED")["again"]


def test_a_correction_points_to_a_record_that_stays_and_a_further_one_needs_a_second_person():
    dealer = Dealer(Flash(8))
    dealer.open_round([1, "10", 1000])
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)
    wrong = [found for found in dealer.table.journal.records() if found.kind == kinds.SETTLED][-1]
    raw = bytes(dealer.table.journal.read(wrong.number))
    assert dealer.refused("CORRECT", **correct(dealer, wrong.number))[0] == 4001
    dealer.key(True)
    first = dealer.send("CORRECT", **correct(dealer, wrong.number))["record"]
    assert dealer.last("CORRECTION") == {
        "of": wrong.number, "hash": wrong.hash, "text": "seat 1 was paid", "reason": "counted again",
        "operator": "ann",
    }  # fmt: skip
    for of in (wrong.number, first):
        assert dealer.refused("CORRECT", **correct(dealer, of)) == (4012, {"record": of, "operator": "ann"})
        for same in ("ann", "Ann ", " ANN", "  ", "ann\u200b", "a\xadnn", "\u2009", "an\u2060n"):
            assert dealer.refused("CORRECT", **correct(dealer, of, second=same))[0] == 4012
    dealer.send("CORRECT", **correct(dealer, wrong.number, second="bob"))
    assert dealer.last("CORRECTION")["second"] == "bob"
    assert [name for name, _ in dealer.records()].count("CORRECTION") == 2
    assert bytes(dealer.table.journal.read(wrong.number)) == raw
    assert dealer.refused("CORRECT", **correct(dealer, 9999))[0] == 1012
    assert dealer.refused("CORRECT", **dict(correct(dealer, 1), reason="other"))[0] == 1008
    for _ in dealer.table.journal.verify():
        pass
    assert not dealer.table.journal.damaged


def test_a_raw_dump_is_the_flash_also_when_it_is_damaged():
    dealer = Dealer()
    for on in (True, False, True, False):
        dealer.key(on)
    dealer.flash.pages[2] = bytes(256)
    dealer = dealer.again()
    assert 51 in dealer.table.tilts.open
    pages = dealer.flash.pages
    size = 256 * len(pages)
    for at in range(0, size, 512):
        reply = dealer.send("DUMP", at=at)
        assert reply["size"] == size
        assert reply["data"] == b"".join(pages[at // 256 : at // 256 + 2])
    for at in (-256, 1, size):
        assert dealer.refused("DUMP", at=at)[0] == 4009
