"""Real servers for tests, PostgreSQL and Mosquitto of Debian: each in a folder of its own, as a user without rights."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

START_S = 60.0


def need(name: str, package: str, *places: str) -> str:
    """The program; without it the test is skipped, or failed where REQUIRE_ALL=1 (CI)."""
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *places]))
    if found is None:
        sentence = f"{name} is missing: install the Debian package {package} (make deps)"
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(sentence)
        pytest.skip(sentence)
    return found


def free_port() -> int:
    """A port of this computer on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def nobody(*names: str) -> dict[str, object]:
    """Words for `subprocess` that give up root's rights for those of the first user there is; none for anybody else."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = next(known[name] for name in (*names, "nobody") if name in known)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextlib.contextmanager
def folder_of(rights: dict[str, object]) -> Iterator[Path]:
    """A folder that only this user may enter."""
    path = Path(tempfile.mkdtemp(prefix="wheelwright-"))
    try:
        if rights:
            os.chown(path, rights["user"], rights["group"])  # type: ignore[arg-type]
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Server:
    """A process of ours: started, asked until it answers, killed or stopped by its number."""

    def __init__(self, command: list[str], port: int, rights: dict[str, object], log: Path) -> None:
        self.command, self.port, self.rights, self.log = command, port, rights, log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        end = time.monotonic() + START_S
        while True:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(self.command, stdout=log, stderr=log, cwd="/", **self.rights)  # type: ignore[call-overload]
            while self.process.poll() is None:
                if self.answers():
                    return
                assert time.monotonic() < end, self.log.read_text()
                time.sleep(0.02)
            # what a killed one left is still ending
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.1)

    def answers(self) -> bool:
        """Whether it takes work."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        os.kill(self.process.pid, number)

    def end(self, number: int = signal.SIGINT) -> None:
        """End it, however: SIGINT asks, SIGKILL does not."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.send(number)
            self.process.wait(START_S)
            self.process = None


class Postgres(Server):
    """A cluster of its own, on a port of this computer."""

    count = 0

    def url(self, database: str, user: str = "wheelwright", password: str = "") -> str:
        """The address of a database in it."""
        return f"postgresql://{user}{':' + password if password else ''}@127.0.0.1:{self.port}/{database}"

    def answers(self) -> bool:
        with contextlib.suppress(psycopg.Error):
            self.run("SELECT 1")
            return True
        return False

    def new(self) -> str:
        """The address of a new database."""
        self.count += 1
        self.run(f"CREATE DATABASE house{self.count}")
        return self.url(f"house{self.count}")

    def run(self, command: str, database: str = "postgres") -> None:
        """One command of SQL as the owner of the cluster."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(command)


@contextlib.contextmanager
def postgresql(**settings: str) -> Iterator[Postgres]:
    """A new cluster in a temporary folder; it ends with the block. `settings` are of the server."""
    places = [str(path) for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    initdb, program = need("initdb", "postgresql", *places), need("postgres", "postgresql", *places)
    rights = nobody("postgres")
    with folder_of(rights) as folder:
        data = folder / "data"
        subprocess.run(
            [initdb, "-D", data, "-U", "wheelwright", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"],
            check=True, capture_output=True, cwd="/", **rights,  # type: ignore[call-overload]
        )  # fmt: skip
        hba = data / "pg_hba.conf"
        hba.write_text("host all guest 127.0.0.1/32 scram-sha-256\n" + hba.read_text())
        port = free_port()
        options = {"unix_socket_directories": folder, "listen_addresses": "127.0.0.1", "port": port, "fsync": "off",
                   "shared_buffers": "16MB", "max_connections": 30, "autovacuum": "off", **settings}  # fmt: skip
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        server = Postgres([program, "-D", str(data), *words], port, rights, folder / "log")
        server.start()
        try:
            yield server
        finally:
            server.end(signal.SIGQUIT)  # at once; nothing of it is needed any more


@contextlib.contextmanager
def mosquitto(*options: str, port: int = 0) -> Iterator[Server]:
    """A broker in a temporary folder; it ends with the block. `options` are lines of its configuration."""
    program = need("mosquitto", "mosquitto")
    rights = nobody("mosquitto")
    with folder_of(rights) as folder:
        port = port or free_port()
        conf = folder / "mosquitto.conf"
        lines = [f"listener {port} 127.0.0.1", "persistence false", "allow_anonymous true", *options]
        conf.write_text("\n".join(lines) + "\n")
        conf.chmod(0o644)
        server = Server([program, "-c", str(conf)], port, rights, folder / "log")
        server.start()
        try:
            yield server
        finally:
            server.end()
