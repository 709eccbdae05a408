"""Which names belong to which scope of a module's source, as Python has it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Thing = tuple[str, str]  # what a name means: a module, and a name at its top or "" for the module itself
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_OF_NUMBERS = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
Function = ast.FunctionDef | ast.Lambda | Comprehension


def imported(line: ast.AST, known: Iterable[str]) -> Iterator[tuple[Thing, str]]:
    """What a statement imports, and the name that it gives it. `known`: the modules of the program."""
    if isinstance(line, ast.ImportFrom):
        for alias in line.names:
            inner = f"{line.module}.{alias.name}"
            yield (inner, "") if inner in known else (str(line.module), alias.name), alias.asname or alias.name
    elif isinstance(line, ast.Import):
        for alias in line.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            yield (name, ""), alias.asname or name


def own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that are in the scope of `body`; a function or class in it with what is worked out around it."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        todo += _around(node)


def _around(node: ast.AST) -> Iterable[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        return [*node.decorator_list, node.args]
    if isinstance(node, ast.Lambda):
        return [node.args]
    if isinstance(node, Comprehension):
        return [node.generators[0].iter]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    return ast.iter_child_nodes(node)


def bound(body: Iterable[ast.AST]) -> set[str]:
    """The names that statements bind (or delete) in their scope, otherwise than by an import."""
    found = set()
    for node in own(body):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and is_bound(node):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def is_bound(name: ast.Name) -> bool:
    """Whether a name is bound (or deleted) here, not read."""
    return not isinstance(name.ctx, ast.Load)


def number(value: ast.expr) -> ast.expr | None:
    """The whole number that an expression of numbers alone makes, `const` around it or not; None for any other."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "const":
        value = value.args[0]
    if all(isinstance(node, _OF_NUMBERS) for node in ast.walk(value)):
        made = eval(compile(ast.Expression(value), "", "eval"), {})  # noqa: S307 - numbers and their operators alone
        return ast.parse(repr(made), mode="eval").body if isinstance(made, int) else None
    return None


def inside(function: ast.AST) -> list[ast.AST]:
    """What runs when a function is called."""
    assert isinstance(function, ast.FunctionDef | ast.Lambda)
    return [*function.body] if isinstance(function.body, list) else [function.body]


def world(body: Iterable[ast.AST]) -> set[str]:
    """The names that statements declare `global`."""
    return {name for node in own(body) if isinstance(node, ast.Global) for name in node.names}


def local(function: ast.AST) -> set[str]:
    """The names that a function has for itself."""
    if isinstance(function, Comprehension):
        return bound(part.target for part in function.generators)
    assert isinstance(function, ast.FunctionDef | ast.Lambda)
    args = function.args
    given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    body = inside(function)
    brought = {alias for node in own(body) for _thing, alias in imported(node, ())}
    return ({arg.arg for arg in given if arg} | bound(body) | brought) - world(body)
