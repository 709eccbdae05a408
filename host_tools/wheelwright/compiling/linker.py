"""Gives the names of one module the meaning that they have in the unit it becomes a part of (`linked.py`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wheelwright.compiling.linkable import refuse
from wheelwright.compiling.scopes import Comprehension, Thing, bound, imported, is_bound, local

if TYPE_CHECKING:
    from wheelwright.compiling.linked import Module, Program


class Linker(ast.NodeTransformer):
    """RuntimeError where what a name means, or would mean, is not certain."""

    def __init__(self, program: Program, module: Module, root: str) -> None:
        self.program = program
        self.module = module
        self.root = root
        self.names = program.names[root]
        self.local: list[set[str]] = []  # names of the functions that we are in
        self.in_class: set[str] = set()  # names of the class whose body we are in, outside of its functions

    def _refuse(self, node: ast.AST, sentence: str) -> None:
        refuse(self.module.path, node, sentence)

    def _hidden(self, name: str) -> bool:
        return name in self.in_class or any(name in names for names in self.local)

    def _thing(self, name: str) -> Thing | None:
        """What a name means at the top of the module; None when it is something else here."""
        return None if self._hidden(name) else self.module.means.get(name)

    def _name(self, node: ast.AST, name: str) -> str:
        thing = self._thing(name)
        if thing is None:
            if not self._hidden(name) and name in self.names.values() and self.program.is_linked(self.root):
                self._refuse(node, f"{name} is not bound here, but elsewhere in {self.root}")
            return name
        if not thing[1] and self.program.is_linked(thing[0]):
            self._refuse(node, f"the module {thing[0]} as a value, which is linked")
        return self._free(node, self.names[self.program.thing(*thing)])

    def _free(self, node: ast.AST, name: str) -> str:
        if self._hidden(name):
            self._refuse(node, f"{name} is something else around this")
        return name

    def _number(self, meant: Thing | None) -> ast.AST | None:
        """The whole number that a thing is, and stays."""
        return self.program.numbers.get(self.program.thing(*meant)) if meant and meant[1] else None

    def visit_Name(self, node: ast.Name) -> ast.AST:
        number = self._number(self._thing(node.id))
        if number is not None and not is_bound(node):
            return number
        node.id = self._name(node, node.id)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and self.program.is_linked(node.value):
            self._refuse(node, f'the module "{node.value}" by a text, which is linked')
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        meant = self._thing(node.value.id) if isinstance(node.value, ast.Name) else None
        self._check_part(node, meant, node.attr)
        if meant is None or meant[1] or not self.program.is_linked(meant[0]):
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            self._refuse(node, f"{ast.unparse(node)} is bound from outside of its module")
        number = self._number((meant[0], node.attr))
        if number is not None:
            return number
        root = self.program.root_of[meant[0]]
        name = self.program.names[root].get(self.program.thing(meant[0], node.attr))
        if name is None or node.attr not in self.program.modules[meant[0]].means:
            self._refuse(node, f"{ast.unparse(node)} is not bound at the top of that module")
        if root == self.root:
            return ast.Name(self._free(node, str(name)), node.ctx)
        module = ast.Name(self._free(node, self.names[root, ""]), ast.Load())
        return ast.Attribute(module, str(name), node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        of, name = [*node.args, None, None][:2]
        if isinstance(of, ast.Name) and isinstance(name, ast.Constant):  # getattr(package, "module") and the like
            self._check_part(node, self._thing(of.id), name.value)
        return self.generic_visit(node)

    def _check_part(self, node: ast.AST, package: Thing | None, name: object) -> None:
        if package and not package[1] and self.program.is_linked(f"{package[0]}.{name}"):
            self._refuse(node, f"the module {package[0]}.{name}, which is linked, as a part of its package")

    def visit_Import(self, node: ast.Import) -> ast.AST:
        for alias in node.names:
            loaded = "." in alias.name and alias.name in self.program.units
            if self.program.is_linked(alias.name) and not loaded:
                self._refuse(node, f"import {alias.name}, which is linked")
            if node in self.module.tree.body and "." not in alias.name:
                ours = self.names[alias.name, ""]
                alias.asname = None if ours == alias.name else ours
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        lines: list[ast.stmt] = []
        at_top = node in self.module.tree.body
        for meant, alias in imported(node, self.program.modules):
            thing = self.program.thing(*meant)
            root = self.program.root_of.get(thing[0], thing[0])
            self._check_from(node, meant, at_top)
            if at_top and (root == self.root or self._number(thing) is not None):
                continue
            if thing[1]:
                source, name = root, self.program.names.get(root, {}).get(thing, thing[1])
            else:
                source, _, name = root.rpartition(".")
            ours = self.names[thing] if at_top else alias
            lines.append(ast.ImportFrom(source, [ast.alias(name, None if ours == name else ours)], 0))
        return lines

    def _check_from(self, node: ast.AST, meant: Thing, at_top: bool) -> None:
        module = self.program.modules.get(meant[0])
        if module is None:
            return
        if meant[1] and meant[1] not in module.means:
            self._refuse(node, f"from {meant[0]} import {meant[1]}, which it does not bind at its top")
        if at_top and meant[1] in module.rebound:
            self._refuse(node, f"from {meant[0]} import {meant[1]}, which a function there binds again")
        if not at_top and not meant[1] and self.program.is_linked(meant[0]):
            self._refuse(node, f"the module {meant[0]}, which is linked, imported in a function")

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._name(node, name) for name in node.names]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        name = self._name(node, node.name)
        if name != node.name:  # an error tells its name
            self._refuse(node, f"class {node.name} would be {name}: another thing in {self.root} has its name")
        for field in ("decorator_list", "bases", "keywords"):
            setattr(node, field, [self.visit(part) for part in getattr(node, field)])
        before, self.in_class = self.in_class, bound(node.body)
        node.body = [self.visit(line) for line in node.body]
        self.in_class = before
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._name(node, node.name)
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        with self._in(node):
            lines = [self.visit(line) for line in node.body]
            node.body = [one for line in lines for one in (line if isinstance(line, list) else [line])]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target, value = node.targets[0], node.value
        if node in self.module.tree.body and isinstance(target, ast.Name) and self._number(self._thing(target.id)):
            return ast.Pass()
        self.generic_visit(node)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(value.elts) > 1:
            # `a, b = (c, d)`, as `unparse` writes it, makes MicroPython make a tuple; `a, b = c, d` does not.
            node.value = ast.Name(", ".join(ast.unparse(one) for one in value.elts), ast.Load())
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        node.args = self.visit(node.args)
        with self._in(node):
            node.body = self.visit(node.body)
        return node

    def _comprehension(self, node: Comprehension) -> ast.AST:
        first = node.generators[0]
        first.iter = self.visit(first.iter)  # worked out outside
        with self._in(node):
            first.target, first.ifs = self.visit(first.target), [self.visit(part) for part in first.ifs]
            node.generators[1:] = [self.visit(part) for part in node.generators[1:]]
            for field in ("elt", "key", "value"):
                if hasattr(node, field):
                    setattr(node, field, self.visit(getattr(node, field)))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    @contextmanager
    def _in(self, function: ast.AST) -> Iterator[None]:
        before, self.in_class = self.in_class, set()
        self.local.append(local(function))
        yield
        self.local.pop()
        self.in_class = before
