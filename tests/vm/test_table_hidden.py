"""Hidden values: they outlive a power cut, and nobody can read them before they are opened."""

from binascii import crc32

try:
    from tests.vm.dealer import DEVICE_KEY, TEN, Dealer, Flash, PowerCut, stopped
except ImportError:
    from dealer import DEVICE_KEY, TEN, Dealer, Flash, PowerCut, stopped

from tabletop import cbor
from tabletop.table import hidden
from tabletop.table.records import Stop

WIDE = 1 << 32  # so that a value is not found by accident
NAME = "must hit"


# What of tabletop.chance a test uses it loads after the start, which lets go of what was loaded before.


def play(dealer):
    dealer.open_round([1, "10", 1000])
    dealer.tick(5, 110)
    dealer.spin("SECTION", TEN)
    dealer.send("SETTLE")
    dealer.pass_time(6000)


def test_a_hidden_value_is_in_its_range_and_opened_as_it_was_committed():
    dealer = Dealer()
    values = []
    for n in (1, 2, 54, 431250):
        hidden.commit(dealer.table, NAME, n)
        from tabletop.chance.commitment import opens

        committed = dealer.last("COMMITTED")
        value = hidden.look(dealer.table, NAME)
        assert 0 <= value < n
        assert hidden.disclose(dealer.table, NAME) == value
        opened = dealer.last("OPENED")
        assert (opened["name"], opened["value"]) == (NAME, value)
        assert opens(committed["hash"], value, opened["nonce"])
        values.append(opened["nonce"])
    assert len(set(values)) == 4
    try:
        hidden.disclose(dealer.table, NAME)
        raise AssertionError("a value was opened twice")
    except Stop:
        pass


def test_two_values_of_one_name_are_never_hidden_at_a_time():
    dealer = Dealer()
    hidden.commit(dealer.table, NAME, 54)
    hidden.commit(dealer.table, "other", 54)
    try:
        hidden.commit(dealer.table, NAME, 54)
        raise AssertionError("it was taken")
    except ValueError:
        pass
    assert [name for name, _ in dealer.records()].count("COMMITTED") == 2


def test_hidden_values_outlive_restarts_and_the_turn_of_the_ring():
    dealer = Dealer(Flash(16))
    number = hidden.commit(dealer.table, NAME, WIDE)
    first = dealer.last("COMMITTED")
    value = hidden.look(dealer.table, NAME)
    for _ in range(45):
        play(dealer)
        dealer.send("ANCHOR", number=dealer.table.journal.last, hash=dealer.table.journal.head)
        dealer.tick(20, 50)
    assert dealer.table.journal.first > number + 20
    for _ in range(2):
        dealer = dealer.again()
        assert hidden.look(dealer.table, NAME) == value
    again = dealer.last("COMMITTED")
    assert (again["again"], again["hash"], again["salt"]) == (True, first["hash"], first["salt"])
    assert hidden.disclose(dealer.table, NAME) == value
    dealer = dealer.again()
    assert len(dealer.table.records.kept) == 1, "only the approval of the program"


def test_a_power_cut_at_any_operation_neither_loses_nor_changes_a_hidden_value():
    cut_at = 0
    while True:
        cut_at += 1
        dealer = Dealer()
        flash = dealer.flash
        flash.cut_at = cut_at
        value = None
        done = False
        try:
            hidden.commit(dealer.table, NAME, WIDE)
            value = hidden.look(dealer.table, NAME)
            play(dealer)
            assert hidden.disclose(dealer.table, NAME) == value
            done = True
        except PowerCut:
            pass
        if done:
            break
        dealer = dealer.again()
        names = [name for name, _ in dealer.records()]
        if value is not None:
            assert "COMMITTED" in names
        if "COMMITTED" not in names:
            hidden.commit(dealer.table, NAME, WIDE)
        elif "OPENED" in names:
            assert dealer.last("OPENED")["value"] == value
            continue
        found = hidden.look(dealer.table, NAME)
        assert value is None or found == value
        from tabletop.chance.commitment import opens

        assert opens(dealer.last("COMMITTED")["hash"], found, _nonce(dealer))
        assert hidden.disclose(dealer.again().table, NAME) == found
    assert cut_at > 10


def _nonce(dealer):
    return hidden._read(dealer.table, NAME)[2]


def test_a_secret_torn_by_a_power_cut_is_made_anew_and_one_that_is_gone_is_named():
    dealer = Dealer()
    dealer.hal.vault.pages[0] = bytes(20) + b"\xff" * 236
    hidden.commit(dealer.table, NAME, WIDE)
    value = hidden.look(dealer.table, NAME)
    dealer = dealer.again()
    assert hidden.look(dealer.table, NAME) == value
    kept = dealer.hal.vault.pages[0]
    dealer.hal.vault.pages[0] = b"\xff" * 256
    assert stopped(hidden.look, dealer.table, NAME) == (53, {"reason": "the secret of the hidden values is gone"})
    other = bytes(range(1, 33))
    dealer.hal.vault.pages[0] = other + crc32(other).to_bytes(4, "big") + kept[36:]
    assert stopped(hidden.disclose, dealer.table, NAME)[0] == 53
    dealer.hal.vault.pages[0] = kept
    assert hidden.disclose(dealer.table, NAME) == value


def test_no_flash_record_event_or_reply_holds_value_or_nonce_before_it_is_opened():
    dealer = Dealer()
    table = dealer.table
    hidden.commit(table, NAME, WIDE)
    _, value, nonce = hidden._read(table, NAME)
    secret = bytes(dealer.hal.vault.pages[0][:32])
    said = []
    for name, args in (("STATUS", {}), ("STATISTICS", {}), ("DISPLAY", {}), ("PING", {}), ("CHALLENGE", {}),
                       ("SELF_TEST", {}), ("VERIFY", {"algorithm": "sha256"}), ("RNG_RAW", {"bits": 1024}),
                       ("RNG_OUTCOMES", {"n": 32, "range": WIDE})):
        said.append(cbor.dumps(dealer.send(name, **args)))
    play(dealer)
    for at in range(0, 5 * 4096, 512):
        said.append(dealer.send("DUMP", at=at)["data"])
    for number in range(1, table.journal.last + 1):
        said.append(table.journal.read(number))
    said += [bytes(page) for page in dealer.flash.pages]
    for data in said:
        for found in (value.to_bytes(4, "big"), str(value).encode(), nonce, secret):
            assert found not in data
    hidden.disclose(table, NAME)
    raw = table.journal.read(table.journal.last)
    assert value.to_bytes(4, "big") in raw
    assert nonce in raw
    assert secret not in b"".join(dealer.flash.pages)


def test_whoever_has_the_device_key_and_the_journal_cannot_work_a_hidden_value_out():
    dealer = Dealer()
    hidden.commit(dealer.table, NAME, WIDE)
    from tabletop.chance.commitment import seal
    from tabletop.chance.drbg import HmacDrbg

    committed = dealer.last("COMMITTED")
    drbg = HmacDrbg(DEVICE_KEY, committed["salt"], cbor.dumps([NAME, WIDE]))
    guess = int.from_bytes(drbg.generate(4), "big")
    assert seal(guess, drbg.generate(32)) != committed["hash"]
    assert dealer.hal.vault.pages[0][:32] != DEVICE_KEY


def prompted(dealer):
    """Somebody has had the prompt, as `hal/rp2/vault.py` leaves it; the table starts."""
    dealer.hal.vault.program(0, bytes(256))
    return dealer.again()


def test_what_is_hidden_is_chosen_anew_after_somebody_had_the_prompt():
    dealer = Dealer()
    hidden.commit(dealer.table, NAME, WIDE)
    hidden.commit(dealer.table, "other", 54)
    first = dealer.last("COMMITTED")
    secret = bytes(dealer.hal.vault.pages[0][:32])
    value = hidden.look(dealer.table, NAME)
    dealer = prompted(dealer)
    assert dealer.phase == "READY", dealer.table.tilts.open
    assert dealer.last("BOOT")["reason"] == "CONSOLE"
    second = dealer.last("COMMITTED")
    assert (second["name"], second["range"], second["void"]) == ("other", 54, True)
    assert second["hash"] != first["hash"]
    assert bytes(dealer.hal.vault.pages[0][:32]) != secret
    assert hidden.look(dealer.table, NAME) != value
    dealer = dealer.again()
    assert dealer.last("BOOT")["reason"] != "CONSOLE", "it is said once"
    assert [kind for kind, _ in dealer.records()].count("COMMITTED") == 4
    assert hidden.disclose(dealer.table, NAME) != value
    assert dealer.last("OPENED")["of"] > 4


def test_a_visit_of_the_prompt_is_recorded_where_nothing_is_hidden():
    dealer = prompted(Dealer())
    assert dealer.last("BOOT")["reason"] == "CONSOLE"
    dealer = dealer.again()
    assert dealer.last("BOOT")["reason"] != "CONSOLE"
    assert dealer.hal.vault.pages[0] == b"\xff" * 256


def test_a_power_cut_at_any_operation_of_a_start_after_the_prompt_leaves_no_value_that_cannot_be_opened():
    cut_at = 0
    while True:
        cut_at += 1
        dealer = Dealer()
        hidden.commit(dealer.table, NAME, WIDE)
        value = hidden.look(dealer.table, NAME)
        flash = dealer.flash
        dealer.hal.vault.program(0, bytes(256))
        dealer = None  # the VM has no room for two tables
        flash.cut_at = cut_at
        cut = False
        try:
            Dealer(flash)
        except PowerCut:
            cut = True
        flash.cut_at = 0
        dealer = Dealer(flash)
        assert dealer.phase == "READY", (cut_at, dealer.table.tilts.open)
        assert hidden.look(dealer.table, NAME) != value
        hidden.disclose(dealer.table, NAME)
        if not cut:
            break
    assert cut_at > 4
