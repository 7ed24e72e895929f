"""Where names are bound: modules, functions, classes and comprehensions, as Python looks them up."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

INLINE = (ast.ListComp, ast.SetComp, ast.DictComp)


class Sort(Enum):
    """What a scope is."""

    MODULE = "module"
    FUNCTION = "function"
    CLASS = "class"
    INLINE = "inline"  # a comprehension, which is part of the routine around it


@dataclass
class NameScope:
    """One place where names are bound; filled once, when a module is read."""

    sort: Sort
    node: ast.AST
    parent: NameScope | None
    qualname: str  # empty for a module
    module: str
    bound: dict[str, list[ast.AST]] = field(default_factory=dict)  # by what
    used: set[str] = field(default_factory=set)
    of_module: set[str] = field(default_factory=set)  # declared `global`
    of_outer: set[str] = field(default_factory=set)  # declared `nonlocal`
    captured: set[str] = field(default_factory=set)  # that other routines use as well
    children: list[NameScope] = field(default_factory=list)

    @property
    def routine(self) -> NameScope:
        """The scope of the routine that this is part of: of a function or a module."""
        scope = self
        while scope.sort in (Sort.INLINE, Sort.CLASS) and scope.parent is not None:
            scope = scope.parent
        return scope

    @property
    def root(self) -> NameScope:
        """The module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def find(self, name: str) -> NameScope | None:
        """The scope that binds a name as it is seen here; None: nothing of the program does."""
        if name in self.of_module:
            return self.root
        scope: NameScope | None = self
        while scope is not None:
            is_seen = scope is self or scope.sort is not Sort.CLASS
            if is_seen and name in scope.of_module:
                return self.root
            if is_seen and name in scope.bound and name not in scope.of_outer:
                return scope
            scope = scope.parent
        return None

    def all(self) -> Iterator[NameScope]:
        """This scope and all inside of it."""
        yield self
        for each in self.children:
            yield from each.all()


def scopes_of(tree: ast.Module, module: str) -> tuple[NameScope, dict[int, NameScope]]:
    """The scope of a module, and all scopes by the identity of their nodes."""
    root = NameScope(Sort.MODULE, tree, None, "", module)
    finding = _Finding(root)
    for each in tree.body:
        finding.visit(each)
    for scope in root.all():
        for name in scope.of_module:
            root.bound.setdefault(name, []).append(tree)
    for scope in root.all():
        for name in (*scope.used, *scope.bound):
            owner = scope.find(name)
            if owner is not None and owner.sort is not Sort.MODULE and owner.routine is not scope.routine:
                owner.captured.add(name)
    return root, finding.by_node


class _Finding(ast.NodeVisitor):
    def __init__(self, root: NameScope) -> None:
        self.scope = root
        self.by_node = {id(root.node): root}

    def _bind(self, name: str, by: ast.AST) -> None:
        scope = self.scope
        if name in scope.of_outer or name in scope.of_module:
            scope.used.add(name)
            return
        scope.bound.setdefault(name, []).append(by)

    def _enter(self, sort: Sort, node: ast.AST, name: str) -> NameScope:
        outer = self.scope
        middle = ".<locals>." if outer.sort in (Sort.FUNCTION, Sort.INLINE) else "."
        qualname = f"{outer.qualname}{middle}{name}" if outer.qualname else name
        if sort is Sort.INLINE:
            qualname = outer.qualname
        scope = NameScope(sort, node, outer, qualname, outer.module)
        outer.children.append(scope)
        self.by_node[id(node)] = scope
        self.scope = scope
        return scope

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind(node.name, node)
        for each in (*node.decorator_list, *_defaults(node.args)):
            self.visit(each)
        self._function(node, node.name, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for each in _defaults(node.args):
            self.visit(each)
        self._function(node, "<lambda>", [node.body])

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, name: str, body: Sequence[ast.AST]
    ) -> None:
        outer = self.scope
        scope = self._enter(Sort.FUNCTION, node, name)
        for each in parameters(node.args):
            self._bind(each.arg, each)
        for declaration in _declarations(body):
            names = scope.of_module if isinstance(declaration, ast.Global) else scope.of_outer
            names.update(declaration.names)
        for statement in body:
            self.visit(statement)
        self.scope = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node)
        for each in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(each)
        outer = self.scope
        scope = self._enter(Sort.CLASS, node, node.name)
        for declaration in _declarations(node.body):
            names = scope.of_module if isinstance(declaration, ast.Global) else scope.of_outer
            names.update(declaration.names)
        for statement in node.body:
            self.visit(statement)
        self.scope = outer

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node, Sort.FUNCTION, "<genexpr>")

    def _inline(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        self._comprehension(node, Sort.INLINE, "<comp>")

    visit_ListComp = _inline  # noqa: N815
    visit_SetComp = _inline  # noqa: N815
    visit_DictComp = _inline  # noqa: N815

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, sort: Sort, name: str
    ) -> None:
        outer = self.scope
        self.visit(node.generators[0].iter)
        self._enter(sort, node, name)
        for number, each in enumerate(node.generators):
            self.visit(each.target)
            if number:
                self.visit(each.iter)
            for test in each.ifs:
                self.visit(test)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            self.visit(part)
        self.scope = outer

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        scope = self.scope
        while self.scope.sort is Sort.INLINE and self.scope.parent is not None:
            self.scope = self.scope.parent
        if scope.sort is Sort.FUNCTION and isinstance(scope.node, ast.GeneratorExp) and scope.parent:
            self.scope = scope.parent
        self._bind(node.target.id, node)
        self.scope = scope
        scope.used.add(node.target.id)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.scope.used.add(node.id)
        else:
            self._bind(node.id, node)

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            self._bind(each.asname or each.name.partition(".")[0], node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for each in node.names:
            self._bind(each.asname or each.name, node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self._bind(node.name, node)
        self.generic_visit(node)

    visit_MatchStar = visit_MatchAs  # noqa: N815

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._bind(node.rest, node)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """All parameters of a function, those for further arguments included."""
    rest = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]


def _declarations(body: Sequence[ast.AST]) -> Iterator[ast.Global | ast.Nonlocal]:
    """The `global` and `nonlocal` of a body, without those of functions inside."""
    waiting = list(body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Global | ast.Nonlocal):
            yield each
        elif not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(each)
