"""The report as JUnit XML, as continuous integration reads it: one test case for each check."""

import time
from xml.etree import ElementTree

from wheelwright.reports import words
from wheelwright.reports.run import Check, Run
from wheelwright.reports.sealing import Seal

ELEMENTS = {"FAIL": "failure", "INVALID": "error", "SKIPPED": "skipped"}


def junit(run: Run, seal: Seal) -> bytes:
    """The document, before its own seal. What spoils the run as a whole is the error of a case `run`."""
    suite = ElementTree.Element("testsuite", {
        "name": f"wheelwright {words.clean(run.serial)}", "tests": str(len(run.checks) + 1),
        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(run.started_s)),
        "time": f"{run.ended_s - run.started_s:.3f}",
    })  # fmt: skip
    properties = ElementTree.SubElement(suite, "properties")
    facts = [*words.facts(run), ("marks", " ".join(words.marks(run)) or "-"), ("meters", words.proof(run))]
    for name, value in [*facts, *((name, seal[name]) for name in ("run_sha256", "signature", "public_key"))]:
        ElementTree.SubElement(properties, "property", {"name": name, "value": value})
    for check in run.checks:
        _case(suite, run, check)
    whole = ElementTree.SubElement(suite, "testcase", {"classname": words.clean(run.serial), "name": "run"})
    if run.verdict == "INVALID":
        ElementTree.SubElement(whole, "error", {"message": words.summary(run)})
    for attribute, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(len(suite.findall(f"testcase/{element}"))))
    ElementTree.indent(suite)
    document: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return document


def _case(suite: ElementTree.Element, run: Run, check: Check) -> None:
    line = words.line(check)
    case = ElementTree.SubElement(suite, "testcase", {
        "classname": words.clean(run.serial), "name": words.clean(check.name),
        "time": f"{check.ended_s - check.started_s:.3f}",
    })  # fmt: skip
    element = ELEMENTS.get(check.verdict)
    said = f"{line.title}: measured {line.measured}, expected {line.expected}"
    if element:
        problem = ElementTree.SubElement(case, element, {"message": said})
        problem.text = "\n".join(line.remarks)
    else:
        ElementTree.SubElement(case, "system-out").text = "\n".join([said, *line.remarks])
