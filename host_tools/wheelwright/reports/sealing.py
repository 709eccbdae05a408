"""Seals a report: the last part of each file is a signed statement about every byte before it.

The seal is one line of JSON in whatever its form takes for a comment, so that a browser, a PDF viewer and a JUnit
reader pass over it; a JSON report holds it as its last member. It says what the run was (`run_sha256`, of the
JSON report before its seal) and which key signed. It proves that nothing was changed since; whose key it is must be
known from elsewhere.
"""

import hashlib
import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from wheelwright import json_text, signatures
from wheelwright.errors import WheelwrightError
from wheelwright.reports.run import Run, to_json

# suffix of the file: what stands before and after the seal. A line break is in each, and none is in a seal.
FORMS = {
    ".json": (b',\n  "seal": ', b"\n}\n"),
    ".html": (b"\n<!-- seal: ", b" -->\n"),
    ".xml": (b"\n<!-- seal: ", b" -->\n"),
    ".pdf": (b"\n% seal: ", b"\n"),
}
Seal = dict[str, str]


def seal_of(content: bytes, form: str, run: Run, key: Ed25519PrivateKey) -> Seal:
    """The signed statement about the content of a report of `run`."""
    said = {
        "form": form, "serial": run.serial, "verdict": run.verdict, "run_sha256": _sha256(unsealed(run)),
        "sha256": _sha256(content),
    }  # fmt: skip
    return signatures.signed(said, key)


def unsealed(run: Run) -> bytes:
    """The JSON report as it is before its seal: the run without its closing brace."""
    return to_json(run).removesuffix(b"\n}\n")


def sealed(content: bytes, form: str, seal: Seal) -> bytes:
    """The whole file."""
    before, after = FORMS[form]
    return content + before + _line(seal) + after


def check(path: Path, public_key: str | None = None) -> Seal:
    """The seal of the report at `path`. E-8106: it was changed in any byte, or another key than `public_key` (hex)
    signed it; E-9012: it cannot be read."""
    form = path.suffix
    if form not in FORMS:
        raise WheelwrightError(9012, path=path, reason=f"a report is one of {' '.join(sorted(FORMS))}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WheelwrightError(9012, path=path, reason=error.strerror or str(error)) from None
    reason = "its seal is missing or damaged"
    before, after = FORMS[form]
    content, _, rest = data.rpartition(before)
    line = rest.removesuffix(after)
    try:
        seal: Seal = json_text.parse(line.decode("ascii"))
        said = signatures.proven(seal, public_key)
        whole = sealed(content, form, seal) == data and bytes.fromhex(seal["signature"]).hex() == seal["signature"]
        if whole and said["form"] == form:
            reason = "" if said["sha256"] == _sha256(content) else "its content was changed after it was signed"
    except signatures.Wrong as wrong:
        reason = str(wrong)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    if reason:
        raise WheelwrightError(8106, path=path, reason=reason)
    return seal


def _line(seal: Seal) -> bytes:
    """One line of ASCII that ends no comment: `--` and `<` are written as JSON can."""
    text = json.dumps(seal, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("--", "\\u002d\\u002d").encode("ascii")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
