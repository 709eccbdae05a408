"""Short private names for the compiled firmware: `_begun` and `_held` of one module are `_a` and `_b` of every module.

Each name that a program uses takes memory of the table for good, and their list doubles at certain lengths. Names with
one underscore are nobody else's business, so modules can share a few. Modules that do share private names - a class
and its base, or an object whose insides another module looks at - are treated as one.
"""

from __future__ import annotations

import ast
import io
import itertools
import string
import tokenize
from collections import defaultdict
from collections.abc import Iterator


def shortened(texts: dict[str, bytes]) -> dict[str, bytes]:
    """`texts` (path of a module -> its source) with other private names; the lines stay where they are.

    Names of `const()`, which the compiler removes, and names that occur as a text are left alone.
    """
    modules = {path: _Module(text.decode()) for path, text in texts.items()}
    kept = set().union(*(module.constants | module.texts for module in modules.values()))
    result = {}
    for group in _groups(modules):
        names = sorted(set().union(*(modules[path].names for path in group)))
        free = (name for name in _pool() if name not in kept and name not in names)
        short = {name: next(free) for name in names if name not in kept}
        for path in group:
            result[path] = _renamed(texts[path].decode(), short).encode()
    return result


def is_private(name: str) -> bool:
    """Starts with one underscore, and is more than that."""
    return len(name) > 1 and name.startswith("_") and not name.startswith("__")


class _Module:
    """What one source says of private names, and which modules its classes inherit from."""

    def __init__(self, text: str) -> None:
        self.names: set[str] = set()
        self.defined: set[str] = set()
        self.foreign: set[str] = set()  # seen on another object than `self`
        self.constants: set[str] = set()
        self.texts: set[str] = set()
        self.bases: set[str] = set()  # paths of modules
        imported: dict[str, str] = {}
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    imported[alias.asname or alias.name] = node.module
                    self._saw(alias.name, own=False)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self.bases |= {imported[b.id] for b in node.bases if isinstance(b, ast.Name) and b.id in imported}
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                self._saw(node.name, own=True)
            elif isinstance(node, ast.arg):
                self._saw(node.arg, own=True)
            elif isinstance(node, ast.Name):
                self._saw(node.id, own=isinstance(node.ctx, ast.Store))
            elif isinstance(node, ast.Attribute):
                on_self = isinstance(node.value, ast.Name) and node.value.id == "self"
                self._saw(node.attr, own=on_self and isinstance(node.ctx, ast.Store))
                if is_private(node.attr) and not on_self:
                    self.foreign.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.texts.add(node.value)
            elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("const("):
                self.constants |= {target.id for target in node.targets if isinstance(target, ast.Name)}

    def _saw(self, name: str, own: bool) -> None:
        if is_private(name):
            self.names.add(name)
            if own:
                self.defined.add(name)

    def looked_for(self) -> set[str]:
        """Names that other modules may have given."""
        return self.foreign | (self.names - self.defined)


def _groups(modules: dict[str, _Module]) -> list[set[str]]:
    """The modules that share private names, together."""
    group_of = {path: {path} for path in modules}
    defining: dict[str, set[str]] = defaultdict(set)
    for path, module in modules.items():
        for name in module.defined:
            defining[name].add(path)
    for path, module in modules.items():
        near = set().union(*(defining[name] for name in module.looked_for()))
        near |= {base.replace(".", "/") + ".py" for base in module.bases} & modules.keys()
        for other in near:
            merged = group_of[path] | group_of[other]
            for member in merged:
                group_of[member] = merged
    return [group_of[path] for path in modules if path == min(group_of[path])]


def _pool() -> Iterator[str]:
    for length in itertools.count(1):
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            yield "_" + "".join(letters)


def _renamed(text: str, short: dict[str, str]) -> str:
    lines = text.splitlines(keepends=True)
    found = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.NAME]
    for token in reversed(found):
        if token.string in short:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column] + short[token.string] + lines[line - 1][token.end[1] :]
    return "".join(lines)
