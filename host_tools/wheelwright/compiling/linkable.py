"""What a module may not do when it is to be linked (`linked.py`): each is refused, by file, line and what it is.

Linking gives the names at the top of modules another meaning. What it cannot follow exactly must never pass.
"""

from __future__ import annotations

import ast
from typing import NoReturn

from wheelwright.compiling.scopes import Function, bound, imported, inside, local, own, world

_KINDS = {
    ast.AsyncFunctionDef: "async def", ast.AsyncFor: "async for", ast.AsyncWith: "async with",
    ast.NamedExpr: ":=", ast.Nonlocal: "nonlocal", ast.Match: "match",
}  # fmt: skip
_SEES_NAMES = ("globals", "locals", "vars", "eval", "exec", "__name__", "__file__", "__path__")
_Import = ast.Import | ast.ImportFrom


def refuse(path: str, node: ast.AST, sentence: str) -> NoReturn:
    raise RuntimeError(f"{path} line {getattr(node, 'lineno', 0)}: {sentence}; linked.py cannot follow that")


def check(path: str, tree: ast.Module) -> None:
    """RuntimeError for the first construct in a module that linking does not follow."""
    for node in ast.walk(tree):
        if type(node) in _KINDS:
            refuse(path, node, _KINDS[type(node)])
        if isinstance(node, ast.Name) and node.id in _SEES_NAMES:
            refuse(path, node, f"{node.id} sees names or modules as they are written")
        if isinstance(node, _Import):
            _check_import(path, node, tree)
        if isinstance(node, ast.ClassDef):
            _check_class(path, node, tree)
    _check_top(path, tree)
    _check_global(path, tree)


def _check_import(path: str, node: ast.Import | ast.ImportFrom, tree: ast.Module) -> None:
    if isinstance(node, ast.ImportFrom) and (node.level or node.names[0].name == "*"):
        refuse(path, node, "a relative import or an import of everything")
    dotted = [alias for alias in node.names if "." in alias.name] if isinstance(node, ast.Import) else []
    read = {name.id for name in ast.walk(tree) if isinstance(name, ast.Name)} if dotted else set()
    if any(alias.asname or alias.name.partition(".")[0] in read for alias in dotted):
        refuse(path, node, "a module that is imported with dots and used")  # to load it is well


def _check_top(path: str, tree: ast.Module) -> None:
    meaning: dict[str, tuple[str, str, bool]] = {}
    for node in own(tree.body):
        for thing, alias in imported(node, ()):
            found = *thing, node in tree.body
            if meaning.setdefault(alias, found) != found and (found[2] or meaning[alias][2]):
                refuse(path, node, f"{alias} is imported twice, as two things")
    for name in bound(tree.body) & meaning.keys():
        refuse(path, tree.body[0], f"{name} is imported and bound otherwise as well")
    if len(set(meaning.values())) < len(meaning):
        refuse(path, tree.body[0], "one thing is imported under two names")


def check_linked(path: str, tree: ast.Module) -> None:
    """What is refused besides in a module that becomes a part of another: the order of what is done at its top."""
    begun = False
    for line in tree.body:
        if begun and isinstance(line, _Import):
            refuse(path, line, "an import below other statements")
        is_text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
        begun |= not (is_text or isinstance(line, _Import))
    for node in own(tree.body):
        if isinstance(node, _Import) and node not in tree.body:
            refuse(path, node, "an import under another statement at the top")
        if isinstance(node, ast.ExceptHandler) and node.name:
            refuse(path, node, f"except ... as {node.name} at the top")


def _check_class(path: str, node: ast.ClassDef, tree: ast.Module) -> None:
    names = bound(node.body)
    both = names & (bound(tree.body) | {alias for line in tree.body for _thing, alias in imported(line, ())})
    for inner in own(node.body):
        if isinstance(inner, _Import):
            refuse(path, inner, "an import in a class")
        if isinstance(inner, ast.Global):
            refuse(path, inner, "global in a class")
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id in both:
            refuse(path, inner, f"{inner.id} may be the one of the class or the one at the top")
        if isinstance(inner, Function):  # one that runs while the class is made
            for name in ast.walk(inner) if not isinstance(inner, ast.FunctionDef | ast.Lambda) else ():
                if isinstance(name, ast.Name) and name.id in both:
                    refuse(path, name, f"{name.id} may be the one of the class or the one at the top")


def _check_global(path: str, tree: ast.Module, outer: frozenset[str] = frozenset()) -> None:
    at_top = bound(tree.body)
    todo: list[tuple[ast.AST, frozenset[str]]] = [(tree, outer)]
    while todo:
        node, outer = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            body = inside(node)
            for name in world(body):
                if name not in at_top:
                    refuse(path, node, f"global {name}, which is not bound at the top")
                if name in outer:
                    refuse(path, node, f"global {name}, which a function around it has for itself")
                if any(alias == name for line in own(body) for _thing, alias in imported(line, ())):
                    refuse(path, node, f"an import of {name} into the names at the top")
            outer |= local(node)
        todo += [(child, outer) for child in ast.iter_child_nodes(node)]
