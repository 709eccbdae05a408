"""The page for `man` and the completion scripts are those of the commands as they are now."""

import re
import shutil
import subprocess

import pytest
from wheelwright import manual_page

from tests.conftest import ROOT
from tests.unit.test_cli import COMMANDS

MAN = ROOT / "docs" / "man" / "wheelwright.1"
COMPLETION = ROOT / "docs" / "completion"


def test_page_and_completion_scripts_are_current():
    assert MAN.read_text(encoding="utf-8") == manual_page.page(), "run: make man"
    for shell, name in manual_page.COMPLETIONS.items():
        assert (COMPLETION / name).read_text(encoding="utf-8") == manual_page.completion(shell), "run: make man"
    assert sorted(path.name for path in COMPLETION.iterdir()) == sorted(manual_page.COMPLETIONS.values())


def test_the_page_has_every_command_and_option():
    page = MAN.read_text(encoding="ascii").replace(r"\-", "-")
    for words, command in COMMANDS.items():
        section = page.split(f".SS wheelwright {' '.join(words)} ", 1)[1].split("\n.S", 1)[0]
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name != "help":
                assert parameter.opts[0] in section, (words, parameter.opts)
        assert f"wheelwright {' '.join(words)}" in section, "no example"


def test_the_page_is_roff_with_the_macros_of_man():
    allowed = {"TH", "SH", "SS", "TP", "B", "RI", "PP", "nf", "fi"}
    for line in MAN.read_text(encoding="ascii").splitlines():
        assert line, "an empty line is a blank one in roff"
        if line[0] in ".'":
            assert re.match(r"\.(\w+)( |$)", line)[1] in allowed, line
        assert not re.search(r"\\(?![-e&]|\(aq)", line), line


def test_completion_scripts_are_such_that_their_shell_can_read_them():
    assert "_WHEELWRIGHT_COMPLETE=complete_bash" in (COMPLETION / "wheelwright.bash").read_text()
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is missing: its completion script was not read")
    subprocess.run([bash, "-n", str(COMPLETION / "wheelwright.bash")], check=True)


def test_an_installed_tool_has_them_where_man_and_shells_look():
    text = (ROOT / "pyproject.toml").read_text()
    for place in ("share/man/man1/wheelwright.1", "share/bash-completion/completions/wheelwright",
                  "share/zsh/site-functions/_wheelwright", "share/fish/vendor_completions.d/wheelwright.fish"):
        assert f'= "{place}"' in text
