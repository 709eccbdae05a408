"""Supervision: the watchdog is fed only when all tasks have reported; one that dies ends in a restart with a name."""

try:
    from tests.vm.dealer import TEN, Dealer, Flash, Hal, Walks, clear, sign
except ImportError:
    from dealer import TEN, Dealer, Flash, Hal, Walks, clear, sign

from tabletop.table.supervisor import TASKS, Supervisor, task_of


def test_the_watchdog_is_fed_only_when_all_tasks_have_reported():
    hal = Hal(Flash(4))
    supervisor = Supervisor(hal)
    for silent in range(len(TASKS)):
        fed = hal.fed
        for task in range(len(TASKS)):
            if task != silent:
                supervisor.report(task)
        assert supervisor.missing(0, []) == ""
        assert hal.fed == fed
        supervisor.report(silent)
        supervisor.missing(0, [])
        assert hal.fed == fed + 1


def test_a_task_that_stops_reporting_is_named_after_a_second_and_not_before():
    hal = Hal(Flash(4))
    supervisor = Supervisor(hal)
    for task in range(len(TASKS)):
        supervisor.report(task)
    assert supervisor.missing(5, []) == ""
    for task in range(len(TASKS)):
        if TASKS[task] != "lights":
            supervisor.report(task)
    assert supervisor.missing(5 + 999, []) == ""
    assert supervisor.missing(5 + 1000, []) == "lights"
    assert hal.fed == 1
    assert supervisor.missing(6 + 1000, ["lights"]) == ""
    assert hal.fed == 2, "a task that is known to be dead keeps nobody from the link"


def test_every_task_of_a_tick_reports_and_leaves_its_mark():
    dealer = Dealer()
    marks = []
    dealer.hal.mark = marks.append
    fed = dealer.hal.fed
    dealer.tick()
    assert marks == [1, 2, 3, 4, 5, 6, 7]
    assert [task_of(mark) for mark in marks] == list(TASKS)
    assert dealer.hal.fed == fed + 1


def test_a_task_that_hangs_feeds_no_watchdog_and_the_next_start_names_it():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()
    dealer = dealer.again(reset_reason="WATCHDOG", marked=6)
    assert dealer.phase == "TILT"
    assert dealer.table.tilts.open == {41: {"task": "lights", "reason": "WATCHDOG"}}
    assert dealer.last("BOOT")["reason"] == "WATCHDOG"
    spin = dealer.last("SPIN")
    assert (spin["counted"], spin["outcome"]) == (False, "NONE")
    dealer.key(True)
    dealer.send("CLEAR_TILT", **clear(dealer, 41))
    dealer.key(False)
    assert dealer.phase == "NO_MORE_BETS"
    dealer.spin("SECTION", TEN)
    assert dealer.phase == "RESULT"


def test_a_dead_task_is_followed_by_one_restart_whose_reason_is_fault():
    dealer = Dealer()
    dealer.open_round([1, "10", 1000])
    dealer.push()

    def die(*_):
        raise ZeroDivisionError("made up")

    dealer.hal.wheel.poll = die
    dealer.tick(5)
    assert dealer.phase == "TILT"
    assert dealer.last("SPIN")["why"] == "TILT"
    assert dealer.hal.resets == []
    dealer.pass_time(2100)
    assert dealer.hal.resets == ["FAULT"]
    dealer = dealer.again(reset_reason="FAULT")
    assert dealer.last("BOOT")["reason"] == "FAULT"
    assert dealer.phase == "TILT"
    assert list(dealer.table.tilts.open) == [41]
    dealer.hal.wheel.poll = die
    dealer.tick(5)
    dealer.pass_time(3000)
    assert dealer.hal.resets == [], "a restart that mended nothing is not tried for ever"
    assert dealer.send("PING")["uptime_ms"]


def test_when_the_lamps_die_in_a_round_none_of_them_promises_anything():
    dealer = Dealer()
    dealer.send("OPEN_BETS")
    dealer.tick(10)
    assert (dealer.hal.lights.state, dealer.hal.lights.bits != 0) == ("bets", True)

    def die(*_):
        raise ZeroDivisionError("made up")

    dealer.hal.lights.rim = die
    dealer.table.show.changed = True
    dealer.tick(10)
    assert (dealer.hal.lights.state, dealer.hal.lights.bits) == ("tilt", 0)


def test_no_way_through_a_long_journal_starves_the_watchdog():
    dealer = Dealer(Flash(64))
    walks = Walks(dealer, 500)
    dealer.key(True)
    dealer.table.stop(51, {"record": 1})
    correction = {"record": 3, "text": "x", "reason": "y", "operator": "ann"}
    for name, args in (
        ("SELF_TEST", {}), ("GAMES", {}), ("CORRECT", sign(dealer, "CORRECT", **correction)),
        ("CLEAR_TILT", clear(dealer, 51)), ("VERIFY", {"algorithm": "sha256"}), ("STATISTICS", {}),
    ):  # fmt: skip
        if "mac" in args:
            args = clear(dealer, 51) if name == "CLEAR_TILT" else sign(dealer, name, **correction)
        walks.of(name, args)
        assert walks.most < 120, (name, walks.most)
        assert walks.reads > 500 or name in ("VERIFY", "STATISTICS"), (name, walks.reads)
    walks.begin()
    dealer.table.journal.open()
    assert walks.reads > 120 > walks.most


def test_case_50_the_reasons_of_a_start_are_told_apart_in_the_journal():
    dealer = Dealer()
    for reason in ("HOST", "WATCHDOG", "FAULT", "POWER_ON"):
        dealer = dealer.again(reset_reason=reason)
    boots = [payload["reason"] for name, payload in dealer.records() if name == "BOOT"]
    assert boots == ["POWER_ON", "HOST", "WATCHDOG", "FAULT", "POWER_ON"]
