"""Gives parameters that no call names a letter, for the compiled firmware: the VM keeps the name of each parameter."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator

from wheelwright.compiling.linkable import refuse
from wheelwright.compiling.scopes import Comprehension, bound, imported, inside, local

LETTERS = tuple(string.ascii_lowercase)


def named(trees: dict[str, ast.Module]) -> set[str]:
    """The names by which some call gives a value. `trees`: path -> module.

    RuntimeError for a call with `**` of anything but what takes any name (`**values`), for its names cannot be known.
    """
    nodes = {path: list(ast.walk(tree)) for path, tree in trees.items()}
    any_name = {name for path in nodes for node in nodes[path] for name in _any_name(node)}
    names = set()
    for path in nodes:
        for node in nodes[path]:
            if isinstance(node, ast.keyword) and node.arg:
                names.add(node.arg)
            elif isinstance(node, ast.Call) and any(keyword.arg is None for keyword in node.keywords):
                called = ast.unparse(node.func).rpartition(".")[2]
                if called not in any_name:
                    refuse(path, node, f"{ast.unparse(node)} gives values by names that only running it tells")
    return names


def _any_name(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef) and node.args.kwarg:
        yield node.name
    elif isinstance(node, ast.ClassDef):
        makers = [line for line in node.body if isinstance(line, ast.FunctionDef) and line.name == "__init__"]
        yield from [node.name] if any(maker.args.kwarg for maker in makers) else []


def shorten(tree: ast.AST, keep: set[str]) -> None:
    """Renames the parameters in `tree` that are not in `keep` (`named`): in each function to letters it does not use.

    So what the program does is the same. A parameter stays as it is in a function that takes any name, and when a
    scope within its function, an import, `except` or `global` gives its name another meaning.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda) and not node.args.kwarg:
            _shorten(node, keep)


def _shorten(function: ast.FunctionDef | ast.Lambda, keep: set[str]) -> None:
    args = function.args
    given = [arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs) if arg.arg != "self"]
    body = inside(function)
    taken = {arg.arg for arg in ast.walk(args) if isinstance(arg, ast.arg)}
    taken |= {name for node in body for name in _mentioned(node)}
    again = {name for node in body for name in _bound_within(node)}
    letters = iter([letter for letter in LETTERS if letter not in taken and letter not in keep])
    new = {arg.arg: next(letters) for arg in given if arg.arg not in keep and arg.arg not in again}
    for arg in given:
        arg.arg = new.get(arg.arg, arg.arg)
    for node in body:
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                part.id = new.get(part.id, part.id)


def _mentioned(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.arg):
            yield part.arg


def _bound_within(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.Lambda | Comprehension):
            yield from local(part)
        elif isinstance(part, ast.ClassDef):
            yield from bound(part.body)
        elif isinstance(part, ast.ExceptHandler) and part.name:
            yield part.name
        elif isinstance(part, ast.Global):
            yield from part.names
        yield from (alias for _thing, alias in imported(part, ()))
