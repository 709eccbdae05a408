"""The program that a virtual table is compiled from, with the modules that it has no more to be imported by tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from wheelwright.compiling import compiled
from wheelwright.compiling.linked import Program


def write(folder: Path, texts: dict[str, bytes]) -> None:
    """Writes what is compiled in the place of `texts`, as source. A module that was linked gives what its unit has."""
    plain = {name: text.replace(compiled.CONST_IMPORT, b"\n") for name, text in texts.items()}
    program = Program(plain)
    found = compiled.prepared(texts)
    for name, module in program.modules.items():
        if module.path in found:
            lines = [f"{own} = {ast.unparse(is_)}" for (of, own), is_ in program.numbers.items() if of == name]
            found[module.path] += "\n".join(lines).encode()
        else:
            found[module.path] = "\n".join(_given(program, name)).encode()
    for path, text in found.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)


def _given(program: Program, name: str) -> Iterator[str]:
    module, root = program.modules[name], program.root_of[name]
    for own, meant in module.means.items():
        there = program.names[root].get(program.thing(*meant))
        if program.thing(*meant) in program.numbers:
            yield f"{own} = {ast.unparse(program.numbers[program.thing(*meant)])}"
        elif there and meant[1] and own not in _without_a_name(module.tree):
            yield f"from {root} import {there} as {own}"


def _without_a_name(tree: ast.Module) -> set[str]:
    """Private constants, of which the compiler keeps no name."""
    lines = [line for line in tree.body if isinstance(line, ast.Assign)]
    names = {ast.unparse(line.targets[0]) for line in lines if ast.unparse(line.value).startswith("const(")}
    return {name for name in names if name.startswith("_")}
