"""The table's ports, each with its Endpoint: bytes in, commands done, bytes out, as much as fits a tick."""

from tabletop import VERSION, ticks
from tabletop.const import const
from tabletop.link.endpoint import Endpoint

_READS_A_TICK = const(8)
_QUIET_MS = const(50)  # after the last byte no frame is under way


class Links:
    """`quiet(now_ms)` is for those who want to stop the chip for a moment."""

    def __init__(self, ports: list, table) -> None:
        self.table = table
        self.links = [(port, Endpoint(table.commands.handle, table.journal, self.identity)) for port in ports]
        self.buf = bytearray(1024)
        self._heard_ms = -1  # never

    def identity(self) -> dict:
        """What HELLO answers about this table."""
        table = self.table
        hal = table.hal
        return {
            "serial": hal.serial, "version": VERSION, "program": table.program, "boot": table.journal.boot,
            "reset": hal.reset_reason, "test": table.play.test, "capabilities": [table.settings.game.NAME],
            "emulated": hal.emulated,
        }  # fmt: skip

    def serve(self, now_ms: int, line_ms: int) -> None:
        """Once a tick. Time-outs and repetitions go by `line_ms`, live values by the table's own time."""
        for port, endpoint in self.links:
            self._serve(port, endpoint, now_ms, line_ms)

    def _serve(self, port, endpoint, now_ms: int, line_ms: int) -> None:
        buf = self.buf
        for _ in range(_READS_A_TICK):
            n = port.readinto(buf)
            if not n:
                break
            self._heard_ms = now_ms
            endpoint.receive(buf, n, line_ms)
        if endpoint.telemetry_due(now_ms):
            endpoint.telemetry(self.table.commands.live(now_ms))
        for _ in range(_READS_A_TICK):
            view = endpoint.transmit(line_ms)
            if view is None:
                return
            n = port.write(view)
            if not n:
                return
            endpoint.sent(n)

    def present(self, session: int) -> bool:
        """Whether the host of a session is still there."""
        for _, endpoint in self.links:
            if endpoint.session == session and not endpoint.host_is_silent():
                return True
        return False

    def quiet(self, now_ms: int) -> bool:
        """Whether no frame is being received."""
        return ticks.since(now_ms, self._heard_ms) >= _QUIET_MS
