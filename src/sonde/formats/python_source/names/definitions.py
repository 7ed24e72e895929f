"""Functions and classes of a program, and things that it does not define."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sonde.formats.python_source.names.scopes import NameScope
from sonde.formats.python_source.names.vocabulary import FUNCTIONS, TRANSPARENT, is_property, last_name


@dataclass(frozen=True)
class ParameterOrder:
    """The order of a function's parameters in its routine: 0 is the receiver."""

    positional: tuple[str, ...]
    has_rest: bool
    named: tuple[str, ...]  # that have to be named
    has_keywords: bool
    slots: int  # positional arguments, if there may be any number

    @property
    def places(self) -> int:
        """Positional arguments that it can take."""
        return max(self.slots, len(self.positional)) if self.has_rest else len(self.positional)

    @property
    def keywords(self) -> int:
        """The parameter with all further named arguments; 0 if there is none."""
        return 1 + self.places + len(self.named) if self.has_keywords else 0

    @property
    def count(self) -> int:
        """Parameters of the routine."""
        return 1 + self.places + len(self.named) + self.has_keywords

    def place_of(self, name: str) -> int:
        """The parameter of a named argument; 0 if there is none."""
        if name in self.positional:
            return 1 + self.positional.index(name)
        if name in self.named:
            return 1 + self.places + self.named.index(name)
        return self.keywords


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A function, method, lambda or generator expression."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp
    scope: NameScope
    routine: str
    owner: Class | None
    layout: ParameterOrder

    @property
    def is_plain(self) -> bool:
        """Whether its name means the function itself."""
        return all(last_name(each) in TRANSPARENT for each in getattr(self.node, "decorator_list", ()))

    def is_decorated(self, name: str) -> bool:
        """Whether it has this decorator."""
        return any(last_name(each) == name for each in getattr(self.node, "decorator_list", ()))

    @property
    def may_become_method(self) -> bool:
        """Whether it looks like a method, and stands outside of a class: it may be assigned to one."""
        return self.owner is None and self.layout.positional[:1] == ("self",)

    @property
    def receiver(self) -> ast.arg | None:
        """The parameter for the object whose method it is."""
        if self.owner is None or self.is_decorated("staticmethod") or not isinstance(self.node, FUNCTIONS):
            return None
        first = [*self.node.args.posonlyargs, *self.node.args.args]
        return first[0] if first else None


@dataclass(eq=False)
class Class:
    """A class of the program."""

    node: ast.ClassDef
    scope: NameScope
    name: str  # of its object
    bases: tuple[Class, ...] = ()
    has_foreign: bool = False  # a base that the program does not define, and that may call its methods
    is_open: bool = False  # attributes are assigned to it by names that are computed
    has_base: bool = False  # a base that the program does not define
    functions: dict[str, list[PythonFunction]] = field(default_factory=dict)
    attributes: set[str] = field(default_factory=set)
    heirs: list[Class] = field(default_factory=list)  # itself, and what inherits from it

    @property
    def order(self) -> tuple[Class, ...]:
        """Where attributes are looked up, itself first."""
        found: dict[Class, None] = {self: None}
        for base in self.bases:
            for each in base.order if base is not self else ():
                found.pop(each, None)  # what several bases share comes last
                found[each] = None
        return tuple(found)

    def definer(self, attribute: str, after: Class | None = None) -> Class | None:
        """The first class that has an attribute, behind another one if that is given."""
        order = self.order
        start = order.index(after) + 1 if after in order else 0
        return next((each for each in order[start:] if attribute in each.attributes), None)

    @property
    def all_attributes(self) -> list[str]:
        """Its own ones and those that it inherits."""
        return sorted({name for each in self.order for name in each.attributes})

    @property
    def description(self) -> str:
        """How its objects are made, beside what its body says: bases, decorators and slots."""
        node = self.node
        slots = [
            each.value
            for each in node.body
            if isinstance(each, ast.Assign) and any(last_name(one) == "__slots__" for one in each.targets)
        ]
        parts = [*node.decorator_list, *node.bases, *(each.value for each in node.keywords), *slots]
        return " ".join(ast.unparse(each) for each in parts).replace(" ", "\u00a0")

    @property
    def is_record(self) -> bool:
        """Whether its fields are written down, and its constructor follows from them."""
        names = [last_name(each) for each in (*self.node.decorator_list, *self.node.bases)]
        return any(each in ("dataclass", "NamedTuple", "define", "frozen", "attrs", "s") for each in names)

    @property
    def fields(self) -> list[str]:
        """The fields of a record, inherited ones first."""
        found: dict[str, None] = {}
        for each in reversed(self.order):
            for statement in each.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    found[statement.target.id] = None
        return list(found)


@dataclass(frozen=True)
class Foreign:
    """Something that the program does not define, by its dotted name."""

    name: str


def is_setter(node: ast.AST) -> bool:
    """Whether a method is called when an attribute is assigned to."""
    decorators = getattr(node, "decorator_list", ())
    return any(is_property(each) and last_name(each) in ("setter", "deleter") for each in decorators)


def walk_own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of a body, without those of functions and classes inside."""
    waiting = list(body)
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.GeneratorExp)):
            waiting += ast.iter_child_nodes(each)
