"""How long a table may be busy with a command: the host knows each one that goes through the whole journal."""

from typing import Any

from wheelwright.session import TAKES_S

from tests.vm.dealer import Dealer, Flash, Walks, clear, configuration, sign

RECORDS = 500


def test_every_command_that_goes_through_the_journal_is_given_its_time() -> None:
    dealer = Dealer(Flash(64))
    walks = Walks(dealer, RECORDS)
    dealer.key(True)
    dealer.table.stop(51, {"record": 1})
    in_service: dict[str, Any] = {
        "PING": dict, "STATUS": dict, "STATISTICS": dict, "CHALLENGE": dict, "DISPLAY": dict, "SELF_TEST": dict,
        "GAMES": dict, "DUMP": lambda: {"at": 0}, "SET_TIME": lambda: {"unix_ms": 1},
        "VERIFY": lambda: {"algorithm": "sha256"},
        "ANCHOR": lambda: {"number": 400, "hash": dealer.table.journal.hash_of(400)},
        "CORRECT": lambda: sign(dealer, "CORRECT", record=3, text="x", reason="y", operator="ann"),
        "CLEAR_TILT": lambda: clear(dealer, 51), "CONFIGURE": lambda: configuration(dealer, {"min_turns": 4}),
    }  # fmt: skip
    at_rest: dict[str, Any] = {
        "RNG_RAW": lambda: {"bits": 8}, "RNG_OUTCOMES": lambda: {"n": 1, "range": 2}, "OPEN_BETS": dict,
        "WAGER": lambda: {"bets": [[1, "10", 1000]]}, "NO_MORE_BETS": dict, "VOID": lambda: {"reason": "x"},
    }  # fmt: skip
    long = set()
    for commands in (in_service, at_rest):
        for name, arguments in commands.items():
            walks.of(name, arguments())
            if walks.reads > RECORDS // 2:
                long.add(name)
        dealer.key(False)
    assert long == set(TAKES_S) - {"VERIFY"}, "VERIFY reads the program instead"
