"""Numbers in the place of their names, for the compiled firmware: `PAGE = 256` is written in wherever `PAGE` is read.

The name of a constant takes memory of the table in every module that knows it; its number takes none.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter, defaultdict
from collections.abc import Iterator

Edit = tuple[int, int, int, int, bytes]  # from line and column to line and column, and what stands there instead

_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitOr: operator.or_,
}  # fmt: skip


def written_in(texts: dict[str, bytes]) -> dict[str, bytes]:
    """`texts` (path of a module -> its source) with whole numbers in the place of public constants; lines stay lines.

    A constant is bound once, at the top of its module. One that is read from anything but a module stays a name.
    """
    trees = {_dotted(path): ast.parse(text, path) for path, text in texts.items()}
    constants = {module: _constants(tree) for module, tree in trees.items()}
    for name in set().union(*(_read_of_objects(tree) for tree in trees.values())):
        for known in constants.values():
            known.pop(name, None)
    return {path: _edited(text, _edits(_dotted(path), trees, constants)) for path, text in texts.items()}


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _number(node: ast.expr, known: dict[str, int]) -> int | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "const":
        return _number(node.args[0], known)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _number(node.operand, known)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _number(node.left, known), _number(node.right, known)
        return None if left is None or right is None else int(_OPERATORS[type(node.op)](left, right))
    return None


def _assigned(statement: ast.stmt, known: dict[str, int]) -> dict[str, int]:
    """Names that `statement` gives to whole numbers, when it does nothing else."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return {}
    target, value = statement.targets[0], statement.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    found = {}
    for one, expression in pairs:
        number = _number(expression, known)
        if not isinstance(one, ast.Name) or number is None or one.id.startswith("_"):
            return {}
        found[one.id] = number
    return found


def _constants(tree: ast.Module) -> dict[str, int]:
    nodes = list(ast.walk(tree))
    bound = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    bound.update(node.arg for node in nodes if isinstance(node, ast.arg))
    known: dict[str, int] = {}
    for statement in tree.body:
        known |= {name: number for name, number in _assigned(statement, known).items() if bound[name] == 1}
    return known


def _imports(tree: ast.Module) -> Iterator[tuple[ast.ImportFrom, ast.alias]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node, alias) for alias in node.names)


def _attributes(tree: ast.Module) -> Iterator[tuple[ast.Attribute, str]]:
    """Attributes that are read, each with the module that it is read from, "" when it is read from something else."""
    modules = {alias.asname or alias.name: f"{node.module}.{alias.name}" for node, alias in _imports(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node, modules.get(node.value.id, "") if isinstance(node.value, ast.Name) else ""


def _read_of_objects(tree: ast.Module) -> set[str]:
    return {node.attr for node, module in _attributes(tree) if not module}


def _edits(module: str, trees: dict[str, ast.Module], constants: dict[str, dict[str, int]]) -> Iterator[Edit]:
    tree, own = trees[module], constants[module]
    known = dict(own)
    for statement, alias in _imports(tree):
        there = constants.get(statement.module or "", {})
        if alias.name in there and not alias.asname:
            known[alias.name] = there[alias.name]
    read: dict[str, int] = defaultdict(int)  # name of a module -> how often it is still read
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read[node.id] += 1
            if node.id in known:
                yield _edit(node, _spelled(known[node.id]))
    replaced = set()
    for attribute, of in _attributes(tree):
        if attribute.attr in constants.get(of, {}) and isinstance(attribute.value, ast.Name):
            read[attribute.value.id] -= 1
            replaced.add(attribute.value.id)
            yield _edit(attribute, _spelled(constants[of][attribute.attr]))
    for line in tree.body:
        names = _assigned(line, own)
        if names and names.keys() <= own.keys():
            yield _edit(line, "pass")
    unread = {name for name in replaced if not read[name]}
    for imported in dict.fromkeys(statement for statement, _alias in _imports(tree)):
        of_module = constants.get(imported.module or "", {})
        left = [a for a in imported.names if a.name not in of_module and (a.asname or a.name) not in unread]
        if len(left) < len(imported.names):
            imported.names = left
            yield _edit(imported, ast.unparse(imported) if left else "pass")


def _spelled(number: int) -> str:
    return f"({number})" if number < 0 else str(number)


def _edit(node: ast.expr | ast.stmt, text: str) -> Edit:
    end = node.end_lineno or node.lineno, node.end_col_offset or 0  # the parser gives both
    return node.lineno, node.col_offset, *end, text.encode()


def _edited(text: bytes, edits: Iterator[Edit]) -> bytes:
    outer: list[Edit] = []
    for edit in sorted(edits):
        if not outer or edit[:2] >= outer[-1][2:4]:  # else within a statement that goes as a whole
            outer.append(edit)
    lines = text.splitlines(keepends=True)
    for line, column, last, end, instead in reversed(outer):
        rest = lines[last - 1][end:]
        lines[line - 1 : last] = [lines[line - 1][:column] + instead + rest] + [b"\n"] * (last - line)
    return b"".join(lines)
