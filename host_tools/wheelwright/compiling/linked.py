"""Modules that are always loaded together become one, for the compiled firmware: a module of its own takes 200 bytes.

A *unit* is a root and the modules that it imports at its top, directly or not; it keeps the root's name and place. So
how finely the sources are divided costs a table no memory. Packages stay, and what is imported within a function.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from wheelwright.compiling.linkable import check, check_linked
from wheelwright.compiling.linker import Linker
from wheelwright.compiling.parameters import named, shorten
from wheelwright.compiling.scopes import Function, Thing, bound, imported, is_bound, local, number, own, world

# A module belongs to the first unit that needs it. One unit for all would have longer code: it has more than 128 names.
ROOTS = (
    "tabletop.sensing.spin", "tabletop.link.endpoint", "tabletop.journal.journal", "tabletop.hal.virtual.board",
    "tabletop.table.controller", "tabletop.table.source", "tabletop.table.drawing",
    "tabletop.table.watching",
)  # fmt: skip


def linked(texts: dict[str, bytes], roots: Iterable[str] = ROOTS) -> dict[str, bytes]:
    """`texts` (path of a module -> its source) with units in the place of their modules.

    A name that means one thing in one module of a unit and another in the next gets a number. All imports of a unit
    come first. RuntimeError, by file and line, for what cannot be followed exactly: `linkable.py`, and in
    `linker.py` a module of a unit that is used otherwise than for what is in it.
    """
    program = Program(texts, roots)
    return {program.modules[root].path: program.text(root).encode() for root in program.units}


class Program:
    """All modules, in their units. `names`: of each unit, thing -> its name there."""

    def __init__(self, texts: dict[str, bytes], roots: Iterable[str] = ROOTS) -> None:
        paths = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in texts}
        trees = {name: ast.parse(texts[path], path) for name, path in paths.items()}
        keep = named({paths[name]: tree for name, tree in trees.items()})
        modules = {name: Module(name, path, trees[name], paths.keys(), keep) for name, path in paths.items()}
        self.modules = modules
        self.units: dict[str, list[str]] = {}
        gone = {name.rpartition(".")[0] for name in modules}  # packages stay
        for root in roots:
            if root in modules:
                self.units[root] = _members(root, modules, gone)
                gone.update(self.units[root])
        inside = {member for members in self.units.values() for member in members}
        self.units |= {name: [name] for name in modules if name not in inside}
        self.root_of = {member: root for root, members in self.units.items() for member in members}
        self.names = {root: self._names(root) for root in self.units}
        self.numbers = dict(self._numbers())

    def is_linked(self, module: str) -> bool:
        """Whether a module shares its names with others."""
        return len(self.units.get(self.root_of.get(module, ""), [])) > 1

    def thing(self, module: str, name: str) -> Thing:
        """What `name` of a module is, wherever that module has it from."""
        while name and module in self.modules and self.modules[module].means.get(name, ("", ""))[1]:
            if self.modules[module].means[name] == (module, name):
                break
            module, name = self.modules[module].means[name]
        return (module, name) if name else (self.root_of.get(module, module), "")

    def _numbers(self) -> Iterator[tuple[Thing, ast.expr]]:
        """Whole numbers at the top of a unit: bound once, imported by no function, and written where they are read."""
        late = {self.thing(*meant) for module in self.modules.values() for meant in module.late}
        for name, module in self.modules.items():
            tops = [node.id for node in own(module.tree.body) if isinstance(node, ast.Name) and is_bound(node)]
            once = {top for top in tops if tops.count(top) == 1} - module.rebound
            lines = [line for line in module.tree.body if isinstance(line, ast.Assign) and len(line.targets) == 1]
            for line in lines if self.is_linked(name) else ():
                thing, value = (name, ast.unparse(line.targets[0])), number(line.value)
                if value and thing[1] in once and thing not in late:
                    yield thing, value

    def _names(self, root: str) -> dict[Thing, str]:
        names: dict[Thing, str] = {}
        members = [self.modules[name] for name in self.units[root]]
        hidden = set().union(*(module.hidden for module in members))
        renamed = {self.thing(*thing) for module in members for thing in module.read_otherwise}
        spelled = hidden.union(dir(builtins), *(module.means for module in members))
        for module in members:
            for name, meant in module.means.items():
                thing = self.thing(*meant)
                if thing in names or thing == (root, ""):
                    continue
                clashes = name in names.values() or name in dir(builtins) or (name in hidden and thing in renamed)
                if clashes and len(members) > 1:
                    name = next(new for number in range(2, 999) if (new := f"{name}{number}") not in spelled)
                    spelled.add(name)
                names[thing] = name
        return names

    def text(self, root: str) -> str:
        """The source of a unit."""
        lines = []
        for name in self.units[root]:
            if self.is_linked(name):
                check_linked(self.modules[name].path, self.modules[name].tree)
            tree = Linker(self, self.modules[name], root).visit(self.modules[name].tree)
            lines += [ast.unparse(line) for line in tree.body if not isinstance(line, ast.Pass)]
        imports = [line for line in lines if line.startswith(("import ", "from "))]
        return "\n".join([*dict.fromkeys(imports), *(line for line in lines if line not in imports), ""])


class Module:
    """`means`: name at the top -> thing. `hidden`: names that functions and classes use for something of their own.

    `keep`: the parameters that keep their names. `late`: what is imported within functions.
    """

    def __init__(self, name: str, path: str, tree: ast.Module, known: Iterable[str], keep: set[str]) -> None:
        self.name = name
        self.path = path
        self.tree = tree
        check(path, self.tree)
        shorten(self.tree, keep)
        self.means: dict[str, Thing] = {}
        self.imports: list[str] = []  # the modules of the program that it imports at its top
        self.read_otherwise: set[Thing] = set()  # by another name than the thing has in its module
        for line in self.tree.body:
            for thing, alias in imported(line, known):
                self.means[alias] = thing
                self.imports += [thing[0]] if thing[0] in known else []
                self.read_otherwise |= {thing} if alias != thing[1] else set()
            self.means |= {own: (name, own) for own in bound([line])}
        nodes = list(ast.walk(self.tree))
        functions = [node for node in nodes if isinstance(node, Function)]
        deeper = [node for node in nodes if node not in self.tree.body]
        self.late = {thing for node in deeper for thing, _alias in imported(node, known)}
        self.hidden = set().union(*(local(node) for node in functions))
        self.hidden = self.hidden.union(*(bound(node.body) for node in nodes if isinstance(node, ast.ClassDef)))
        self.rebound = set().union(*(world(node.body) for node in functions if isinstance(node, ast.FunctionDef)))
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module, inner = self.means.get(node.value.id, ("", "?"))
                self.read_otherwise |= set() if inner else {(module, node.attr)}


def _members(root: str, modules: dict[str, Module], others: set[str]) -> list[str]:
    """The modules of a unit, each behind those that it needs; the root is the last."""
    members: list[str] = []

    def add(name: str) -> None:
        for needed in modules[name].imports:
            if needed not in others and needed not in members:
                add(needed)
        members.append(name)

    add(root)
    return members
