"""What the source of `tabletop.chance` must not hold (field cases 30, 31, 37): checked on the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

TABLETOP = ROOT / "firmware" / "tabletop"


def trees(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text())


def calls(tree: ast.AST, name: str) -> list[ast.Call]:
    """Calls of `name` or `anything.name`."""
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.Call)
        and name in (getattr(node.func, "id", None), getattr(node.func, "attr", None))
    ]  # fmt: skip


def test_case_29_no_draw_uses_a_remainder_or_a_division() -> None:
    for path, tree in trees(TABLETOP / "chance"):
        if path.name in ("draws.py", "drbg.py"):
            for node in ast.walk(tree):
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.Div | ast.FloorDiv):
                    # text formatting, and constants such as half the strength
                    assert isinstance(node.left, ast.Constant | ast.Name), f"{path.name}:{node.lineno}"
                    assert getattr(node.left, "id", "STRENGTH") == "STRENGTH", f"{path.name}:{node.lineno}"


def test_case_30_the_generator_is_seeded_in_one_place_and_only_from_tested_noise() -> None:
    seeded = [(path.name, call) for path, tree in trees(TABLETOP) for call in calls(tree, "HmacDrbg")]
    assert {name: [ast.unparse(argument) for argument in call.args[:2]] for name, call in seeded} == {
        "generator.py": ["self._entropy()", "self._entropy()"],
        "hidden.py": ["secret", "salt"],  # both were drawn from that generator: tests/vm/test_table_hidden.py
    }
    assert len(seeded) == 2
    reseeds = [
        (path.name, ast.unparse(call.args[0]))
        for path, tree in trees(TABLETOP) for call in calls(tree, "reseed") if call.args
    ]  # fmt: skip
    assert reseeds == [("generator.py", "self._entropy()")]


def test_case_31_no_firmware_module_uses_another_source_of_chance() -> None:
    for path, tree in trees(TABLETOP):
        if "hal" in path.parts:
            continue
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"random", "urandom", "secrets"} & set(names), path
            assert getattr(node, "attr", "") not in ("urandom", "getrandbits", "randint"), path
