"""What the names of a program mean everywhere in it, the same for both sides of a change.

Two revisions that are compared share one vocabulary: then an attribute lies at the same offset in both, and
code that is the same in both is read alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import Member

STEP = 8  # bytes between attributes; what a container holds lies at 0
LEAST_SLOTS = 4  # for positional arguments of functions that take any number of them
OBJECT = "object"  # the type of everything that has attributes
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = frozenset({"property", "cached_property", "abstractproperty"})
# Decorators that call what they decorate with the same arguments, and give back what it returns.
TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "lru_cache", "cache", "wraps", "abstractmethod", "contextmanager"}
    | {"overload", "override", "final", "asynccontextmanager", "total_ordering", "unique", "dataclass"}
    | {"runtime_checkable", "coroutine", "no_type_check", "deprecated"}
)
NAMING = frozenset(
    {"setattr", "__setattr__", "set_defaults", "add_argument", "add_option", "add_subparsers"}
)  # attributes, by texts
CATCHING_ALL = frozenset({"", "Exception", "BaseException"})


@dataclass(frozen=True)
class Vocabulary:
    """The names of a program and of its other revision."""

    attributes: tuple[str, ...]
    methods: frozenset[str]  # what classes define by `def`
    stored: frozenset[str]  # attributes that code assigns to, or that are not plain functions
    shared: frozenset[str]  # what modules bind: they are objects with attributes, too
    detached: frozenset[str]  # attributes that are read without being called at once
    properties: frozenset[str]
    carriers: frozenset[str]  # names whose attributes are assigned to
    caught: frozenset[str]  # names of exceptions that some handler is for; "" for all
    keywords: frozenset[str]  # that calls name arguments by; "**" if some do so by a mapping
    slots: int  # so many positional arguments are told apart

    @cached_property
    def offsets(self) -> Mapping[str, int]:
        """Where each attribute lies in an object."""
        return {name: STEP * (number + 1) for number, name in enumerate(self.attributes)}

    @property
    def size(self) -> int:
        """Of an object with all attributes."""
        return STEP * (len(self.attributes) + 2)

    @property
    def members(self) -> tuple[Member, ...]:
        """The attributes as fields of the type OBJECT."""
        return tuple(Member(name, offset, type=OBJECT) for name, offset in self.offsets.items())

    def is_known(self, attribute: str) -> bool:
        """Whether objects of the program may have such an attribute."""
        return attribute in self.methods or attribute in self.stored or attribute in self.shared


def learn(trees: Iterable[ast.AST]) -> Vocabulary:
    """The vocabulary of all these modules together."""
    attributes: set[str] = set()
    methods: set[str] = set()
    stored: set[str] = set()
    shared: set[str] = set()
    detached: set[str] = set()
    properties: set[str] = set()
    carriers: set[str] = set()
    caught: set[str] = set()
    keywords: set[str] = set()
    slots = LEAST_SLOTS
    for tree in trees:
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                attributes.add(node.attr)
                if not isinstance(node.ctx, ast.Load):
                    stored.add(node.attr)
                    carriers.add(last_name(node.value))
                elif id(node) not in called:
                    detached.add(node.attr)
            elif isinstance(node, ast.ClassDef):
                for name, is_method, is_plain in _members(node.body):
                    (methods if is_method else stored).add(name)
                    if not is_plain:
                        stored.add(name)
                properties |= set(_properties(node))
            elif isinstance(node, FUNCTIONS):
                caught |= _caught_by(node)
                slots = max(slots, len(node.args.posonlyargs) + len(node.args.args) + 1)
            elif isinstance(node, ast.Call):
                slots = max(slots, len(node.args) + 1)
                keywords |= {each.arg or "**" for each in node.keywords}
                caught |= {last_name(each) for each in node.args if last_name(node.func) == "suppress"}
                texts = set(_texts(node))
                attributes |= texts
                if last_name(node.func) in ("getattr", "attrgetter", "methodcaller"):
                    detached |= texts
                elif last_name(node.func) in NAMING:
                    stored |= texts | {each.arg for each in node.keywords if each.arg}
            elif isinstance(node, ast.Import | ast.ImportFrom):
                attributes |= {each.name.rpartition(".")[2] for each in node.names}
            elif isinstance(node, ast.ExceptHandler):
                caught |= set(_exceptions(node.type))
            elif isinstance(node, ast.MatchClass):
                attributes |= set(node.kwd_attrs)
        shared |= {name for name, _, _ in _members(getattr(tree, "body", []))}
    attributes |= (
        methods
        | stored
        | shared
        | keywords
        | {"__init__", "__call__"}
        | {setter(each) for each in properties}
    )
    return Vocabulary(
        tuple(sorted(attributes)),
        frozenset(methods),
        frozenset(stored),
        frozenset(shared),
        frozenset(detached),
        frozenset(properties),
        frozenset(carriers),
        frozenset(caught),
        frozenset(keywords),
        slots,
    )


def _members(body: Iterable[ast.stmt]) -> Iterator[tuple[str, bool, bool]]:
    """What a body defines: the name, whether it is a function, and whether nothing was done to it."""
    for each in body:
        if isinstance(each, FUNCTIONS):
            yield each.name, True, all(last_name(one) in TRANSPARENT for one in each.decorator_list)
        elif isinstance(each, ast.ClassDef):
            yield each.name, False, True
        elif isinstance(each, ast.Assign):
            for target in each.targets:
                yield from ((name.id, False, True) for name in ast.walk(target) if isinstance(name, ast.Name))
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id, False, True
        elif isinstance(each, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from _members(getattr(each, part, []))
            for handler in getattr(each, "handlers", []):
                yield from _members(handler.body)


def _properties(node: ast.ClassDef) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, FUNCTIONS) and any(is_property(one) for one in each.decorator_list):
            yield each.name
        elif (
            isinstance(each, ast.Assign)
            and isinstance(each.value, ast.Call)
            and last_name(each.value.func) in PROPERTIES
        ):
            yield from (name.id for name in each.targets if isinstance(name, ast.Name))


def is_property(decorator: ast.expr) -> bool:
    """Whether a decorator makes an attribute of a method: it is called when the attribute is used."""
    name = last_name(decorator)
    return name in PROPERTIES or name in ("setter", "getter", "deleter")


def setter(name: str) -> str:
    """Where a class keeps what is called when an attribute is assigned to."""
    return f"{name}.setter"


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name, whatever is called on it; empty if it is none."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _exceptions(node: ast.expr | None) -> Iterator[str]:
    if node is None:
        yield ""
    elif isinstance(node, ast.Tuple):
        yield from (last_name(each) for each in node.elts)
    else:
        yield last_name(node)


def _caught_by(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Exceptions that the language catches by this method: the end of an iteration, what `with` forgives."""
    if node.name in ("__next__", "__anext__"):
        return {"StopIteration", "StopAsyncIteration"}
    if node.name == "__getitem__":
        return {"IndexError"}
    given = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
    is_forgiving = any(each is not None and not is_nothing(each) for each in given)
    return {""} if node.name in ("__exit__", "__aexit__") and is_forgiving else set()


def is_nothing(node: ast.expr) -> bool:
    """Whether an expression is None or False."""
    return isinstance(node, ast.Constant) and not node.value


def _texts(node: ast.Call) -> Iterator[str]:
    """Attributes that are named by a text: `getattr(x, "name")`, and options of a command line."""
    for each in node.args:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            name = each.value.lstrip("-").replace("-", "_")
            if name.isidentifier():
                yield name
    for keyword in node.keywords:
        if keyword.arg == "dest" and isinstance(keyword.value, ast.Constant):
            yield str(keyword.value.value)
