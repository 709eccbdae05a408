"""Watches the tasks of a tick: the watchdog is fed only when every one has reported, and one that does not is named."""

from tabletop import ticks
from tabletop.const import const

TASKS = ("wheel", "sensing", "inputs", "round", "link", "lights", "journal")  # in the order of a tick
_PATIENCE_MS = const(1000)  # far below any watchdog of ours


class Supervisor:
    """A task is begun, reports, and at the end of a tick `missing` says which has kept silent too long."""

    def __init__(self, hal) -> None:
        self.hal = hal
        self._reported = 0  # bit per task
        self._fed_ms = -1  # -1: not fed yet

    def begin(self, task: int) -> None:
        """`task` (its place in TASKS) runs from now on: the breadcrumb that a watchdog reset leaves."""
        self.hal.mark(task + 1)

    def report(self, task: int) -> None:
        """`task` has done its work of this tick."""
        self._reported |= 1 << task

    def missing(self, now_ms: int, dead: list) -> str:
        """Feeds the watchdog when all tasks that live have reported; "" or the first one that is overdue."""
        silent = ""
        for task in range(len(TASKS)):
            if not self._reported >> task & 1 and TASKS[task] not in dead:
                silent = TASKS[task]
                break
        if not silent:
            self._reported = 0
            self._fed_ms = now_ms
            self.hal.feed()
        elif self._fed_ms < 0:
            self._fed_ms = now_ms
        elif ticks.since(now_ms, self._fed_ms) >= _PATIENCE_MS:
            self._fed_ms = now_ms
            return silent
        return ""


def task_of(mark: int) -> str:
    """The task that a breadcrumb names; what came before the first tick is `start`."""
    return TASKS[mark - 1] if 0 < mark <= len(TASKS) else "start"
