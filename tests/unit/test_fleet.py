"""A logbook to a real broker: nothing lost, nothing overtaken, whatever is killed; doubles keep their identity."""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import json
import re
import signal
import subprocess
import sys
import threading
import time

import jsonschema
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from wheelwright.errors import WheelwrightError
from wheelwright.fleet import broker as broker_module
from wheelwright.fleet import messages as fleet_messages
from wheelwright.fleet import publishing as fleet
from wheelwright.fleet.broker import Broker
from wheelwright.fleet.feed import Feed
from wheelwright.fleet.published import Published
from wheelwright.fleet.publishing import Bridge, States
from wheelwright.logbook.store import Store, as_row

from tests.conftest import ROOT
from tests.json_shapes import fits
from tests.unit.house import Told, rounds, table
from tests.unit.servers import free_port, mosquitto
from tests.unit.test_cli import tool

assert tool  # a fixture
A, B = "WW-0001", "WW-0002"
SCHEMA = json.loads((ROOT / "docs" / "fleet.schema.json").read_text())


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(fleet, "POLL_S", 0.02)
    monkeypatch.setattr(fleet, "AGAIN_S", (0.05, 0.1))
    monkeypatch.setattr(fleet, "KEEP_S", 0.05)


@pytest.fixture(scope="module")
def running():
    with mosquitto() as server:
        yield server


@pytest.fixture
def db(tmp_path):
    path = str(tmp_path / "house.db")
    Store.open(path, create=True).close()
    return path


class Consumer:
    """Subscribes to everything and keeps it; comes back when the broker does."""

    def __init__(self, port):
        self.messages, self.changed = [], threading.Condition()
        self.subscribed = threading.Event()
        self.client = paho.Client(CallbackAPIVersion.VERSION2)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_disconnect = lambda *_: self.subscribed.clear()
        self.client.on_message = self._take
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.subscribed.wait(20)

    def _take(self, _client, _data, message):
        with self.changed:
            self.messages.append((message.topic, json.loads(message.payload), message.retain))
            self.changed.notify_all()

    def until(self, condition, seconds=15):
        with self.changed:
            assert self.changed.wait_for(condition, seconds), self.messages[-3:]

    def numbers(self, serial=A, doubles=False):
        """The events of a table as they came; each once, as the page says that a reader is to take them."""
        found = []
        for topic, message, _ in self.messages:
            if f"/{serial}/event/" in topic and (doubles or message["number"] > (found[-1] if found else 0)):
                found.append(message["number"])
        return found

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@contextlib.contextmanager
def consumer(port):
    made = Consumer(port)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def bridging(db, port, house="house", told=None, **words):
    """A bridge at work on a thread; yields what it says."""
    states = States(told or Told())
    stop, failure, gate = threading.Event(), [], threading.Event()
    gate.set()

    def wait(seconds):
        gate.wait(30)
        time.sleep(seconds)

    def work():
        try:
            with Store.open(db) as store:
                at = Broker(words.pop("url", f"mqtt://127.0.0.1:{port}"), **words)
                Bridge(store, at, "wheelwright", house, states).run(stop.is_set, wait)
        except WheelwrightError as error:
            failure.append(error)
            states.say("", str(error))

    thread = threading.Thread(target=work)
    thread.start()
    states.told, states.failure, states.thread, states.gate = states._beside, failure, thread, gate
    try:
        yield states
    finally:
        stop.set()
        thread.join(30)
        assert not thread.is_alive()


def add(db, serial, raws):
    with Store.open(db) as store:
        store.add(serial, raws)


def cursor(db, port, serial=A, house="house"):
    with Store.open(db) as store:
        return Published(store, f"127.0.0.1:{port}/wheelwright/{house}/bridge").number(serial)


def all_of(made):
    return list(range(1, len(made.raws) + 1))


# what is published


def test_every_record_is_published_in_order_and_every_message_is_as_the_schema_says(db, running):
    made, other = rounds(A, 20), rounds(B, 5, seed=2)
    made.put("TILT", tilt=21, detail={"sections": 3})
    add(db, A, made.raws)
    add(db, B, other.raws)
    with consumer(running.port) as heard:
        with bridging(db, running.port, "one") as states:
            states.status(A, "up", {"phase": "TILT", "test": True, "tilts": [21], "round": 20, "first": 1,
                                    "anchored": 3, "free": 9, "moving": False, "uptime_ms": 7})  # fmt: skip
            heard.until(lambda: heard.numbers() == all_of(made) and heard.numbers(B) == all_of(other))
            heard.until(lambda: any("/WW-0001/state" in topic and message["link"] == "up"
                                    and message["last"] == len(made.raws) for topic, message, _ in heard.messages))
        heard.until(lambda: heard.messages[-1][0].endswith("/bridge"))
    assert heard.numbers(doubles=True) == all_of(made), "none twice"
    kinds = set()
    for topic, message, _ in heard.messages:
        kind = re.fullmatch(r"wheelwright/one/(?:(bridge)|table/[^/]+/(?:(state)|event/([A-Z_]+)))", topic)
        assert kind, topic
        name = kind[1] or ("table" if kind[2] else "event")
        kinds.add(name)
        jsonschema.validate(message, {**SCHEMA, "$ref": f"#/$defs/{name}"})
        assert name != "event" or message["kind"] == kind[3]
    assert kinds == {"event", "table", "bridge"}
    event = next(message for _, message, _ in heard.messages if message.get("kind") == "TILT")
    assert bytes.fromhex(event["raw"]) == made.raws[-1]
    assert event["payload"] == {"tilt": 21, "detail": {"sections": 3}}
    assert [message["state"] for topic, message, _ in heard.messages if topic.endswith("bridge")] == [
        "online", "offline"]  # fmt: skip


@pytest.mark.parametrize("change", [{"format": 2}, {"serial": ""}, {"number": 0}, {"number": "7"}, {"hash": "00"},
                                    {"raw": "0"}, {"payload": []}, {"kind": "x"}])  # fmt: skip
def test_the_schema_refuses_what_is_no_event(change):
    made = rounds(A, 1)
    event = fleet_messages.event(A, as_row(made.raws[2]))
    wanted = {**SCHEMA, "$ref": "#/$defs/event"}
    jsonschema.validate(event, wanted)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**event, **change}, wanted)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in event.items() if key != next(iter(change))}, wanted)


@pytest.mark.parametrize("serial", ["A/B", "A+", "#", "Ä", "$SYS", "a b", "x" * 60])
def test_a_serial_number_is_one_level_of_a_topic(serial):
    topic = fleet_messages.Topics("wheelwright", "house").event(serial, "TILT")
    assert topic.count("/") == 5
    assert not set(topic) & set("+#$")
    topic.encode("ascii")


@pytest.mark.parametrize("house", ["a+b", "#1", "$house", "north/south", "Füssen"])
def test_a_house_of_any_name_is_one_level_of_a_topic(house):
    topic = fleet_messages.Topics("wheelwright", house).bridge
    assert topic.count("/") == 2 and topic.isascii() and not set(topic) & set("+#$")


def test_the_page_shows_the_topics_and_messages_that_are_published():
    page = (ROOT / "docs" / "fleet.md").read_text()
    examples = re.findall(r"^(wheelwright/vegas/\S+)\n(\{.*\})$", page, re.MULTILINE)
    names = {"TILT": "event", "state": "table", "bridge": "bridge"}
    assert [topic.rpartition("/")[2] for topic, _ in examples] == list(names)
    for topic, text in examples:
        message = json.loads(text.replace('"hash":"..."', f'"hash":"{"0" * 64}"').replace('"raw":"..."', '"raw":"00"'))
        jsonschema.validate(message, {**SCHEMA, "$ref": f"#/$defs/{names[topic.rpartition('/')[2]]}"})


def test_state_is_retained_and_the_last_will_tells_of_a_bridge_that_was_killed(db, running):
    add(db, A, rounds(A).raws)
    command = [sys.executable, "-m", "wheelwright", "bridge", "--broker", f"mqtt://127.0.0.1:{running.port}",
               "--db", db, "--house", "two", "--json"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = json.loads(process.stdout.readline())
            fits("bridge", said)
            assert "published to" in said["said"]
            with consumer(running.port) as heard:

                def states():
                    return [message["state"] for topic, message, _ in heard.messages if topic.endswith("two/bridge")]

                heard.until(lambda: states() == ["online"])
                heard.until(lambda: any("two/table/WW-0001/state" in topic for topic, *_ in heard.messages))
                process.kill()
                heard.until(lambda: states() == ["online", "lost"])
            with consumer(running.port) as later:  # who comes later gets both, marked as old
                later.until(lambda: {topic for topic, _, retained in later.messages if retained} >= {
                    "wheelwright/two/bridge", "wheelwright/two/table/WW-0001/state"})  # fmt: skip
        finally:
            process.kill()


# nothing is lost, nothing is overtaken


def test_events_wait_for_a_broker_that_is_away_and_come_when_it_is_back(db):
    made = rounds(A, 10)
    port = free_port()
    with bridging(db, port) as states:
        add(db, A, made.raws[:30])
        states.told.until_said("E-8302 the broker mqtt://127.0.0.1")
        with mosquitto(port=port), consumer(port) as heard:
            add(db, A, made.raws[30:])
            heard.until(lambda: heard.numbers()[-1:] == [len(made.raws)] or None)
    assert sum("E-8302" in text for _, text in states.told.said) <= 2, "said once, not at every try"
    assert cursor(db, port) == len(made.raws)


def test_a_broker_killed_with_events_on_their_way_gets_them_again_in_order(db):
    made = rounds(A, 30)
    with mosquitto() as server, consumer(server.port) as heard, bridging(db, server.port) as states:
        add(db, A, made.raws[:40])
        heard.until(lambda: heard.numbers() == list(range(1, 41)))
        until(lambda: cursor(db, server.port) == 40)
        server.send(signal.SIGSTOP)  # it takes what comes into its buffers, and says nothing
        add(db, A, made.raws[40:])
        time.sleep(0.2)  # long enough that some are on their way; the test holds for any number
        assert cursor(db, server.port) == 40
        server.end(signal.SIGKILL)
        states.told.until_said("E-8302")
        states.gate.clear()
        until(lambda: not heard.subscribed.is_set())
        server.start()
        assert heard.subscribed.wait(30)
        states.gate.set()  # so that the one who counts is there first
        heard.until(lambda: heard.numbers()[-1] == len(made.raws))
    assert heard.numbers() == all_of(made)
    assert cursor(db, server.port) == len(made.raws)


def test_nothing_behind_the_cursor_is_left_out_wherever_the_broker_is_killed(db):
    made = rounds(A, 120)
    with mosquitto() as server, bridging(db, server.port):
        add(db, A, made.raws)
        until(lambda: cursor(db, server.port) > 0)
        server.end(signal.SIGKILL)
        held = cursor(db, server.port)
        server.start()
        with consumer(server.port) as heard:
            until(lambda: cursor(db, server.port) == len(made.raws))
    assert held <= len(made.raws)
    came = heard.numbers(doubles=True)
    assert came == sorted(came), "no event overtakes another"


def test_a_killed_bridge_leaves_nothing_out_and_doubles_have_the_same_identity(db, running):
    made = rounds(A, 100)
    add(db, A, made.raws)
    command = [sys.executable, "-m", "wheelwright", "bridge", "--broker", f"mqtt://127.0.0.1:{running.port}",
               "--db", db, "--house", "three"]  # fmt: skip
    with consumer(running.port) as heard:
        for seen in (30, 300):
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
                heard.until(lambda seen=seen: len(heard.numbers()) >= seen)
                process.kill()
        with bridging(db, running.port, "three"):
            heard.until(lambda: heard.numbers()[-1] == len(made.raws))
    assert heard.numbers() == all_of(made)
    bodies = {}
    for topic, message, _ in heard.messages:
        if "/event/" in topic:
            assert bodies.setdefault((message["serial"], message["number"]), message) == message


def test_records_that_close_a_gap_later_are_published_too(db, running):
    made = rounds(A, 10)
    with consumer(running.port) as heard, bridging(db, running.port, "four"):
        add(db, A, made.raws[:10])
        add(db, A, made.raws[20:30])
        heard.until(lambda: heard.numbers()[-1:] == [30])
        until(lambda: cursor(db, running.port, house="four") == 30)
        add(db, A, made.raws[10:20])
        heard.until(lambda: set(heard.numbers(doubles=True)) == set(range(1, 31)))
        until(lambda: cursor(db, running.port, house="four") == 30)


def test_only_an_acknowledgement_moves_the_cursor_and_only_in_order(db):
    made = rounds(A, 3)
    add(db, A, made.raws)
    with Store.open(db) as store:
        kept = Published(store, "broker")
        feed = Feed(store, kept, A)
        feed.poll()
        sent = [feed.next().number for _ in range(6)]
        for number, last in ((2, 0), (3, 0), (1, 3), (6, 3), (5, 3), (4, 6)):
            feed.taken(number)
            feed.keep()
            assert kept.number(A) == last
        assert sent == [1, 2, 3, 4, 5, 6]
        again = Feed(store, kept, A)
        again.poll()
        assert again.next().number == 7


def test_a_cursor_that_was_put_back_meanwhile_is_not_moved_over_what_came_late(db):
    made = rounds(A, 3)
    add(db, A, [*made.raws[:3], *made.raws[6:]])
    with Store.open(db) as store:
        kept = Published(store, "broker")
        feed = Feed(store, kept, A)
        feed.poll()
        for _ in range(5):
            feed.taken(feed.next().number)
        feed.keep()
        assert kept.number(A) == 8
        feed.taken(feed.next().number)
        store.add(A, made.raws[3:6])
        assert kept.number(A) == 3
        feed.keep()
        assert kept.number(A) == 3
        feed.poll()
        assert feed.next().number == 4


def test_a_record_that_comes_late_between_what_was_sent_and_what_was_kept_is_not_passed_over(db):
    made = rounds(A, 3)
    add(db, A, [*made.raws[:3], *made.raws[6:9]])
    with Store.open(db) as store:
        kept = Published(store, "broker")
        feed = Feed(store, kept, A)
        feed.poll()
        while row := feed.next():
            feed.taken(row.number)
        store.add(A, made.raws[3:6])
        feed.keep()
        feed.poll()
        again = []
        while row := feed.next():
            again.append(row.number)
            feed.taken(row.number)
        feed.keep()
        assert again == list(range(1, 10))
        assert kept.number(A) == 9


# who is who


class Authority:
    """Certificates for a test: `issue(name)` gives (certificate, key) files signed by it."""

    def __init__(self, folder):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "house authority")])
        self.certificate = self._sign(self.name, self.key.public_key(), True)
        self.path = self._write("ca.pem", self.certificate.public_bytes(serialization.Encoding.PEM))

    def _write(self, name, data):
        (self.folder / name).write_bytes(data)
        (self.folder / name).chmod(0o644)
        return self.folder / name

    def _sign(self, name, key, authority):
        now = datetime.datetime.now(datetime.UTC)
        names = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        made = (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key)
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(1))
            .not_valid_after(now + datetime.timedelta(1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
        )  # fmt: skip
        return made.sign(self.key, hashes.SHA256())

    def issue(self, name):
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        signed = self._sign(subject, key.public_key(), False)
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                    serialization.NoEncryption())  # fmt: skip
        return (self._write(f"{name}.pem", signed.public_bytes(serialization.Encoding.PEM)),
                self._write(f"{name}.key", private))  # fmt: skip


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    """A broker that asks for a certificate of its authority; (server, authority, another authority)."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory(prefix="wheelwright-tls-") as ours, tempfile.TemporaryDirectory() as theirs:
        Path(ours).chmod(0o755)
        authority, other = Authority(Path(ours)), Authority(Path(theirs))
        certificate, key = authority.issue("broker")
        lines = [f"cafile {authority.path}", f"certfile {certificate}", f"keyfile {key}", "require_certificate true"]
        with mosquitto(*lines) as server:
            yield server, authority, other


def test_tls_with_a_client_certificate_carries_every_event(db, secure):
    server, authority, _ = secure
    made = rounds(A, 5)
    add(db, A, made.raws)
    certificate, key = authority.issue("bridge")
    url = f"mqtts://127.0.0.1:{server.port}"
    with bridging(db, server.port, url=url, authority=authority.path, certificate=certificate, key=key):
        until(lambda: cursor(db, server.port) == len(made.raws))


def test_who_cannot_prove_who_they_are_are_told_apart(db, secure):
    server, authority, other = secure
    url = f"mqtts://127.0.0.1:{server.port}"
    with bridging(db, server.port, url=url, authority=other.path) as states:
        states.thread.join(30)
    assert str(states.failure[0]).startswith(f"E-8304 the broker {url} does not prove who it is")
    for words, hint in (({}, "asks for a client"), (dict(zip(("certificate", "key"), other.issue("x"))), "another")):
        with bridging(db, server.port, url=url, authority=authority.path, **words) as states:
            states.told.until_said("client certificate")
        assert hint in states.told.said[0][1]
    with bridging(db, server.port, url=url, authority=other.folder / "none.pem") as states:
        states.thread.join(30)
    assert str(states.failure[0]).startswith("E-9012")


def test_a_wrong_password_and_a_topic_that_is_not_permitted_are_told_and_no_event_is_passed_over(db, tmp_path):
    import os
    import tempfile
    from pathlib import Path

    made = rounds(A, 4)
    add(db, A, made.raws)
    with tempfile.TemporaryDirectory(prefix="wheelwright-acl-") as folder:
        Path(folder).chmod(0o755)
        users, rules = Path(folder) / "users", Path(folder) / "rules"
        users.write_text("")
        subprocess.run(["mosquitto_passwd", "-b", users, "house", "right"], check=True, capture_output=True)
        users.chmod(0o644)
        denied = "user house\ntopic write wheelwright/house/bridge\ntopic write wheelwright/house/table/WW-0001/state\n"
        rules.write_text(denied)
        with mosquitto(f"password_file {users}", f"acl_file {rules}", "allow_anonymous false") as server:
            for password in (None, "wrong"):
                user = None if password is None else "house"
                with bridging(db, server.port, user=user, password=password) as states:
                    states.thread.join(30)
                assert states.failure[0].code == 8303
                assert "wrong" not in str(states.failure[0])
            with bridging(db, server.port, user="house", password="right") as states:
                states.told.until_said("E-8305")
                assert cursor(db, server.port) == 0, "what the broker does not take is not passed over"
                time.sleep(0.5)
                assert sum("E-8305" in text for _, text in states.told.said) == 1, "said once, not at every try"
                assert "/event/BOOT" in next(text for _, text in states.told.said if "E-8305" in text)
                rules.write_text(denied + "topic write wheelwright/#\n")
                server.send(signal.SIGHUP)
                until(lambda: cursor(db, server.port) == len(made.raws))
    assert os


def test_a_second_bridge_of_the_same_house_is_told(db, running):
    with bridging(db, running.port, "five") as first:
        first.told.until_said("published to")
        with bridging(db, running.port, "five") as second:
            second.told.until_said("published to")
            first.told.until_said("E-8306 another bridge of the same house")


def test_the_late_will_of_a_dead_predecessor_is_answered(db, running):
    with consumer(running.port) as heard, bridging(db, running.port, "seven"):

        def states():
            return [message["state"] for topic, message, _ in heard.messages if topic.endswith("seven/bridge")]

        heard.until(lambda: states() == ["online"])
        late = fleet_messages.bridge("seven", "lost", "0" * 16, 7)
        heard.client.publish("wheelwright/seven/bridge", fleet_messages.encoded(late), 1, True)
        heard.until(lambda: states() == ["online", "lost", "online"])


@pytest.mark.parametrize("url", ["broker", "http://broker", "mqtt://", "mqtt://broker:x", "mqtt://a:secret@broker",
                                 "mqtt://broker/topic", "mqtt://broker:99999"])  # fmt: skip
def test_an_address_that_is_none_is_wrong_use_before_anything_is_sent(tool, db, url):
    ended = tool("bridge", "--broker", url, "--db", db)
    assert (ended.status, ended.err[:6]) == (10, "E-8301")
    assert "secret" not in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(("words", "code"), [
    (("--prefix", "a+b"), "E-9001"), (("--prefix", "#"), "E-9001"), (("--prefix", "$SYS"), "E-9001"),
    (("--password-file", "nosuch"), "E-9012"), (("--db", "nosuch.db"), "E-8005"),
    (("--cert", "nosuch"), "E-9012"), (("--ca", "nosuch"), "E-9012"),
])  # fmt: skip
def test_what_cannot_be_used_is_named(tool, db, words, code):
    words = words if "--db" in words else (*words, "--db", db)
    ended = tool("bridge", "--broker", f"mqtts://127.0.0.1:{free_port()}", *words)
    assert ended.err.startswith(code), ended.err


@pytest.mark.parametrize("option", ["--ca", "--cert", "--key"])
def test_a_file_of_tls_is_never_passed_over_for_a_broker_without_tls(tool, db, option, tmp_path):
    file = tmp_path / "file.pem"
    file.touch()
    ended = tool("bridge", "--broker", f"mqtt://127.0.0.1:{free_port()}", option, file, "--db", db)
    assert (ended.status, ended.err[:6]) == (2, "E-9001")
    assert "mqtts://" in ended.err


def test_a_broker_that_never_answers_is_away(db, monkeypatch):
    import socket

    monkeypatch.setattr(broker_module, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf, bridging(db, deaf.getsockname()[1]) as states:
        states.told.until_said("E-8302")
        assert "no answer within 0.2 s" in states.told.said[0][1]


def test_a_broker_that_stops_acknowledging_is_left_and_its_events_are_sent_again(db, monkeypatch):
    monkeypatch.setattr(broker_module, "ANSWER_S", 1.0)
    made = rounds(A, 3)
    with mosquitto() as server, bridging(db, server.port) as states:
        states.told.until_said("published to")
        server.send(signal.SIGSTOP)
        add(db, A, made.raws)
        states.told.until_said("acknowledges nothing for 1 s")
        server.send(signal.SIGCONT)
        until(lambda: cursor(db, server.port) == len(made.raws))


# with the tables


def test_bridge_follows_tables_too_and_tells_how_they_are(db, running):
    served = table(A)
    served.thread.start()
    with consumer(running.port) as heard:
        command = [sys.executable, "-m", "wheelwright", "bridge", "--broker", f"mqtt://127.0.0.1:{running.port}",
                   "--db", db, "--house", "six", "--port", served.address, "--json"]  # fmt: skip
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                last = served.journal.last
                heard.until(lambda: heard.numbers()[-1:] == [last])

                def links():
                    return [m["link"] for topic, m, _ in heard.messages if topic.endswith("six/table/WW-0001/state")]

                heard.until(lambda: "up" in links())
                served.journal.made.put("TILT", tilt=21, detail={})
                heard.until(lambda: heard.numbers()[-1:] == [last + 1])
                served.pull_the_plug()
                heard.until(lambda: links()[-1] == "down")
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=30)
                assert (process.returncode, err) == (0, "")
            finally:
                process.kill()


def until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
