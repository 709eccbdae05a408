"""Modules that are always loaded together become one, for the compiled firmware: a module of its own takes 200 bytes.

A *unit* is a root and the modules that it imports at its top, directly or not; it keeps the root's name and place. So
how finely the sources are divided costs a table no memory. Packages stay, and what is imported within a function.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

# A module belongs to the first unit that needs it. One unit for all would have longer code: it has more than 128 names.
ROOTS = (
    "tabletop.sensing.spin", "tabletop.link.endpoint", "tabletop.journal.journal", "tabletop.hal.virtual.board",
    "tabletop.table.controller", "tabletop.table.source",
)  # fmt: skip

Thing = tuple[str, str]  # what a name means: a module, and a name at its top or "" for the module itself


def linked(texts: dict[str, bytes], roots: Iterable[str] = ROOTS) -> dict[str, bytes]:
    """`texts` (path of a module -> its source) with units in the place of their modules.

    A name that means one thing in one module of a unit and another in the next gets a number. RuntimeError when a
    module that goes is used otherwise than by `from` or for what is in it.
    """
    paths = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in texts}
    program = _Program({name: _Module(name, path, texts[path], paths.keys()) for name, path in paths.items()}, roots)
    return {paths[root]: program.text(root).encode() for root in program.units}


class _Program:
    """All modules, in their units. `names`: of each unit, thing -> its name there."""

    def __init__(self, modules: dict[str, _Module], roots: Iterable[str]) -> None:
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

    def thing(self, module: str, name: str) -> Thing:
        """What `name` of a module is, wherever that module has it from."""
        while name and module in self.modules and self.modules[module].means.get(name, ("", ""))[1]:
            if self.modules[module].means[name] == (module, name):
                break
            module, name = self.modules[module].means[name]
        return (module, name) if name else (self.root_of.get(module, module), "")

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
            tree = _Linker(self, self.modules[name], root).visit(self.modules[name].tree)
            lines += [ast.unparse(line) for line in tree.body if not isinstance(line, ast.Pass)]
        imports = [line for line in lines if line.startswith(("import ", "from "))]
        return "\n".join([*dict.fromkeys(imports), *(line for line in lines if line not in imports), ""])


class _Module:
    """`means`: name at the top -> thing. `hidden`: names that functions use for something of their own."""

    def __init__(self, name: str, path: str, text: bytes, known: Iterable[str]) -> None:
        self.name = name
        self.tree = ast.parse(text, path)
        self.means: dict[str, Thing] = {}
        self.imports: list[str] = []  # the modules of the program that it imports at its top
        self.read_otherwise: set[Thing] = set()  # by another name than the thing has in its module
        for line in self.tree.body:
            for thing, alias in _imported(line, known):
                self.means[alias] = thing
                self.imports += [thing[0]] if thing[0] in known else []
                self.read_otherwise |= {thing} if alias != thing[1] else set()
            self.means |= {bound: (name, bound) for bound in _bound([line])}
        nodes = list(ast.walk(self.tree))
        self.hidden = set().union(*(_local(node) for node in nodes if isinstance(node, _Function)))
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module, inner = self.means.get(node.value.id, ("", "?"))
                self.read_otherwise |= set() if inner else {(module, node.attr)}


_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Function = ast.FunctionDef | ast.Lambda | _Comprehension


def _imported(line: ast.AST, known: Iterable[str]) -> Iterator[tuple[Thing, str]]:
    """What a statement imports, and the name that it gives it."""
    if isinstance(line, ast.ImportFrom):
        for alias in line.names:
            inner = f"{line.module}.{alias.name}"
            yield (inner, "") if inner in known else (str(line.module), alias.name), alias.asname or alias.name
    elif isinstance(line, ast.Import):
        for alias in line.names:
            first = alias.name.partition(".")[0]
            yield (first, ""), first


def _bound(body: Sequence[ast.AST]) -> set[str]:
    """The names that statements bind otherwise than by an import, functions and classes not looked into."""
    found: set[str] = set()
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif not isinstance(node, _Function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                found.add(node.name)
            todo += ast.iter_child_nodes(node)
    return found


def _local(function: ast.AST) -> set[str]:
    """The names that a function has for itself."""
    if isinstance(function, _Comprehension):
        return _bound([part.target for part in function.generators])
    assert isinstance(function, ast.FunctionDef | ast.Lambda)
    body = function.body if isinstance(function.body, list) else [function.body]
    inside = [node for line in body for node in ast.walk(line)]
    world = {name for node in inside if isinstance(node, ast.Global) for name in node.names}
    given = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    return (given | _bound(body) | {alias for node in inside for _thing, alias in _imported(node, ())}) - world


def _members(root: str, modules: dict[str, _Module], others: set[str]) -> list[str]:
    """The modules of a unit, each behind those that it needs; the root is the last."""
    members: list[str] = []

    def add(name: str) -> None:
        for imported in modules[name].imports:
            if imported not in others and imported not in members:
                add(imported)
        members.append(name)

    add(root)
    return members


class _Linker(ast.NodeTransformer):
    """Gives the names of one module the meaning that they have in its unit."""

    def __init__(self, program: _Program, module: _Module, root: str) -> None:
        self.program = program
        self.module = module
        self.root = root
        self.names = program.names[root]
        self.local: list[set[str]] = []  # names of the functions that we are in
        self.in_class: set[str] = set()  # names of the class whose body we are in, outside of its functions

    def _thing(self, name: str) -> Thing | None:
        """What a name means at the top of the module; None when it is something else here."""
        hidden = name in self.in_class or any(name in names for names in self.local)
        return None if hidden else self.module.means.get(name)

    def _name(self, name: str) -> str:
        thing = self._thing(name)
        if thing is None:
            return name
        if not thing[1] and self.program.root_of.get(thing[0], thing[0]) != thing[0]:
            raise RuntimeError(f"{self.module.name} uses {thing[0]} as a value, which is a part of another module")
        return self.names[self.program.thing(*thing)]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._name(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        meant = self._thing(node.value.id) if isinstance(node.value, ast.Name) else None
        if meant is None or meant[1] or meant[0] not in self.program.modules:
            return self.generic_visit(node)
        thing = self.program.thing(meant[0], node.attr)
        root = self.program.root_of[meant[0]]
        if root == self.root:
            return ast.Name(self.names[thing], node.ctx)
        module = ast.Name(self.names[root, ""], ast.Load())
        return ast.Attribute(module, self.program.names[root].get(thing, node.attr), node.ctx)

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            if self.program.root_of.get(alias.name, alias.name) != alias.name:
                raise RuntimeError(f"{self.module.name} imports {alias.name}, which is a part of another module")
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        lines: list[ast.stmt] = []
        for meant, alias in _imported(node, self.program.modules):
            at_top = node in self.module.tree.body
            thing = self.program.thing(*meant)
            root = self.program.root_of.get(thing[0], thing[0])
            if root == self.root and at_top:
                continue
            if thing[1]:
                source, name = root, self.program.names.get(root, {}).get(thing, thing[1])
            else:
                source, _, name = root.rpartition(".")
            ours = self.names[thing] if at_top else alias
            lines.append(ast.ImportFrom(source, [ast.alias(name, None if ours == name else ours)], 0))
        return lines

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._name(name) for name in node.names]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._name(node.name)
        node.bases = [self.visit(base) for base in node.bases]
        before, self.in_class = self.in_class, _bound(node.body)
        node.body = [self.visit(line) for line in node.body]
        self.in_class = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._name(node.name)
        node.args = self.visit(node.args)
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.returns = None
        return self._function(node)

    def _function(self, node: ast.AST) -> ast.AST:
        before, self.in_class = self.in_class, set()
        self.local.append(_local(node))
        node = self.generic_visit(node)
        self.local.pop()
        self.in_class = before
        return node

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _function
