"""The tool's page for `man` and its completion scripts, made from the commands themselves: `make man` writes them.

They lie in `docs/man` and `docs/completion`, and an installed tool has them where `man` and the shells look.
"""

from collections.abc import Iterator
from typing import Any

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from wheelwright import __version__
from wheelwright.cli.app import app
from wheelwright.errors import EXIT_CODES

NAME = "wheelwright"
COMPLETIONS = {
    "bash": "wheelwright.bash", "zsh": "_wheelwright", "fish": "wheelwright.fish", "powershell": "wheelwright.ps1",
}  # fmt: skip
ENVIRONMENT = {
    "NO_COLOR": "no colour",
    "TERM": "`dumb`: plain text, as in a file or a pipe",
    "WHEELWRIGHT_DEBUG": "1: show the traceback of a fault and the last frames of the link",
    "MICROPYTHON": "the MicroPython program of a virtual table",
}


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command as its words, in the order of the help."""
    root: Any = group or typer.main.get_command(app)
    for name, command in root.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


def completion(shell: str) -> str:
    """The completion script for a shell of COMPLETIONS."""
    script: str = get_completion_script(prog_name=NAME, complete_var="_WHEELWRIGHT_COMPLETE", shell=shell)
    return script.strip() + "\n"


def page() -> str:
    """The page, in roff with the macros of man(7)."""
    root = typer.main.get_command(app)
    lines = [
        f'.TH WHEELWRIGHT 1 "" "wheelwright {__version__}" "User Commands"',
        ".SH NAME", _text(f"{NAME} - {(root.help or '').rstrip('.')}"),
        ".SH SYNOPSIS", f".B {NAME}", r".RI [ \-\-version ] " + "COMMAND ...",
        ".SH DESCRIPTION",
        _text("For whoever stands at a wheel table with a laptop. Every command prints its help with --help, and JSON "
              "for programs with --json. An error is one sentence on standard error: code, what happened, what to do."),
        ".SH COMMANDS",
    ]  # fmt: skip
    variables = dict(ENVIRONMENT)
    for words, command in commands():
        lines += _command(words, command)
        for parameter in command.params:
            if parameter.envvar:
                variables.setdefault(str(parameter.envvar), f"stands in for {parameter.opts[0]}")
    lines.append(".SH EXIT STATUS")
    lines += _list([("0", "everything was done, and every check held")])
    lines += _list(sorted(((str(code), meaning) for _, _, code, meaning in EXIT_CODES), key=lambda one: int(one[0])))
    lines.append(".SH ENVIRONMENT")
    lines += _list(sorted(variables.items()))
    lines += [".SH SEE ALSO", _text("docs/operations.md of the project; wheelwright errors explains codes.")]
    return "\n".join(lines) + "\n"


def _command(words: tuple[str, ...], command: Any) -> list[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join([f"{NAME} {' '.join(words)}", *(_metavar(one) for one in arguments), "[OPTIONS]"])
    lines = [".SS " + _text(usage), _text(" ".join((command.help or "").split()))]
    lines += _list([(_metavar(one), one.help or "") for one in arguments])
    lines += _list([(", ".join(one.opts) + _value(one), one.help or "") for one in options if one.name != "help"])
    example = (command.epilog or "").split("Example:\n")[-1].strip("\n")
    if example:
        lines += [".PP", "Example:", ".PP", ".nf", *(_text(line) for line in example.splitlines()), ".fi"]
    return lines


def _metavar(argument: Any) -> str:
    return str(argument.metavar or str(argument.name).upper())


def _value(option: Any) -> str:
    if option.is_flag:
        return ""
    return f" {option.metavar or getattr(option.type, 'name', 'value').upper()}"


def _list(entries: list[tuple[str, str]]) -> list[str]:
    return [line for name, told in entries for line in (".TP", f".B {_text(name)}", _text(told))]


def _text(words: str) -> str:
    """Text that roff takes for nothing else."""
    words = words.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{words}" if not words or words.startswith(".") else words
