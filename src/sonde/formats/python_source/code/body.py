"""The body of a routine while it is read: its variables, and the attributes of objects."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from sonde.core.code import NOWHERE, Constant, Global, Routine, SourceLine, ValuePart, Variable
from sonde.formats.python_source.code.writer import OUTSIDE, REFERENCE, Writer
from sonde.formats.python_source.names.definitions import Class, PythonFunction
from sonde.formats.python_source.names.package import Module, Package
from sonde.formats.python_source.names.scopes import NameScope, Sort
from sonde.formats.python_source.names.vocabulary import OBJECT, setter

COMPUTING = ("__getattr__", "__getattribute__")  # methods that compute attributes
NEXT = ("__next__", "__anext__")  # methods that raise an exception where there is nothing more
TYPING = ("typing.", "typing_extensions.", "__future__.")  # what these modules hold only describes types
COMPARING = ("__hash__", "__eq__")  # methods that dictionaries and sets ask


@dataclass
class Unfinished:
    """The unit of a module while it is read."""

    package: Package
    module: Module
    evaluate: Callable[[PythonBody, ast.expr], int]
    execute: Callable[[PythonBody, Sequence[ast.stmt]], None]
    routines: list[Routine] = field(default_factory=list)
    globals: dict[str, Global] = field(default_factory=dict)
    waiting: list[PythonFunction] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def file(self) -> str:
        return self.module.source.file

    def variable(
        self, name: str, shown: str = "", line: int = 0, size: int = 8, type: str = REFERENCE
    ) -> str:
        """See that there is a global; its name."""
        if name not in self.globals:
            place = SourceLine(self.file, line) if line else NOWHERE
            variable = Variable(shown, type) if shown else None
            self.globals[name] = Global(name, False, False, True, size=size, variable=variable, place=place)
        return name

    def begin_with(self, name: str, content: str) -> None:
        """Give a global a first value."""
        known = self.globals[self.variable(name)]
        part = ValuePart(0, content)
        if part not in known.parts:
            self.globals[name] = replace(known, parts=(*known.parts, part))

    def object(self, name: str, shown: str = "") -> str:
        """See that there is a global with attributes: a class, a module, or what a function carries."""
        return self.variable(name, shown, size=self.package.vocabulary.size, type=OBJECT)


class KnownExpression(ast.expr):
    """An expression whose value is known: it was evaluated before."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@dataclass
class EnclosingLoop:
    """Where `continue` and `break` lead, and how many `finally` lie around the loop."""

    again: int
    end: int
    depth: int


@dataclass
class PythonBody:
    """What is read into one routine."""

    unit: Unfinished
    writer: Writer
    scope: NameScope
    function: PythonFunction | None = None
    locals: dict[tuple[int, str], int] = field(default_factory=dict)  # by scope and name
    loops: list[EnclosingLoop] = field(default_factory=list)
    finals: list[Callable[[int], None]] = field(default_factory=list)  # leave a `finally` for a block
    result: int | None = None  # where what is returned waits for a `finally`
    made: int | None = None  # what a generator gives, as a container
    returning: int | None = None  # the block that returns it
    plain: set[int] = field(default_factory=set)  # values that are surely no objects of the program

    @property
    def package(self) -> Package:
        return self.unit.package

    def value(self, node: ast.expr) -> int:
        """What an expression gives."""
        return self.unit.evaluate(self, node)

    def offset(self, attribute: str) -> int:
        """Where an attribute lies."""
        return self.package.vocabulary.offsets.get(attribute, 0)

    # variables

    def place_of(self, name: str) -> int | None:
        """The address of a variable; None if nothing of the program binds the name."""
        owner = self.scope.find(name)
        if owner is None:
            return None
        line = getattr(owner.bound.get(name, [None])[0], "lineno", 0)
        if owner.sort is Sort.MODULE:
            return self.writer.address(self.unit.variable(f"{owner.module}.{name}", name, line))
        if owner.sort is Sort.CLASS:
            made = self.package.classes[id(owner.node)]
            return self.writer.address(self.unit.object(class_object(made)), self.offset(name))
        if name in owner.captured or owner.routine is not self.scope.routine:
            where = f"{owner.module}:{owner.routine.qualname}#{getattr(owner.node, 'lineno', 0)}.{name}"
            return self.writer.address(self.unit.variable(where, name, line))
        key = id(owner), name
        if key not in self.locals:
            self.locals[key] = self.writer.local(name)
        return self.locals[key]

    def load_name(self, name: str) -> int:
        """What a name means where it is read."""
        place = self.place_of(name)
        if place is None:
            return self.writer.address(f"python.{name}")
        value = self.writer.load(place)
        owner = self.scope.find(name)
        if owner is not None and name in self.package.plain_names(owner):
            self.plain.add(value)
        if owner is self.scope and owner.sort is Sort.CLASS and owner.parent is not None:
            inner, self.scope = self.scope, owner.parent  # a class may not have it yet
            if self.scope.find(name) is not None:
                value = self.writer.join([value, self.load_name(name)])
            self.scope = inner
        return value

    def store_name(self, name: str, value: int) -> None:
        """Bind a name; what a module binds can be found through the module, too."""
        place = self.place_of(name)
        assert place is not None
        self.writer.store(place, value)
        owner = self.scope.find(name)
        if owner is not None and owner.sort is Sort.MODULE and self.offset(name):
            module = self.unit.object(module_object(owner.module))
            self.writer.store(self.writer.address(module, self.offset(name)), value)

    # objects

    def content(self, value: int) -> int:
        """Any element of a container."""
        return self.writer.load(value)

    def with_content(self, values: Iterable[int]) -> list[int]:
        """Values, and what they hold."""
        found = []
        for each in values:
            found.append(each)
            if each >= 0:
                found.append(self.content(each))
        return found

    def container(self, elements: Iterable[int]) -> int:
        """A new container."""
        made = self.writer.new_object()
        self.plain.add(made)
        for each in elements:
            self.writer.store(made, each)
        return made

    def foreign_value(self, name: str) -> int:
        """Something of a library: it may be called, and holds whatever it is given."""
        if name.startswith(TYPING):
            return self.writer.operand(Constant(f"type {name}"))
        return self.writer.use(f"value.{name}", (), may_raise=False)

    def attribute(self, base: int, name: str, *, is_own: bool = False) -> int:
        """What an attribute of an object is; what properties give included.

        Attributes of objects of libraries are what these hold; `is_own`: it is surely none of them.
        """
        vocabulary, writer = self.package.vocabulary, self.writer
        if not vocabulary.is_known(name):
            asked = [each for method in COMPUTING for each in self.special(base, method, (writer.nothing,))]
            return writer.join([self.content(base), *asked])
        found = [writer.load(writer.field(base, self.offset(name)))]
        if not is_own:
            found.append(self.content(base))
        if name in vocabulary.properties:
            found.append(writer.call(found[0], (base,)))
        if "__get__" in vocabulary.methods:
            found.append(self.ask(found[0], "__get__", (base, base)))
        return writer.join(found)

    def method(self, base: int, name: str) -> int:
        """What is called as an attribute: a library is asked itself, whatever the attribute is."""
        writer = self.writer
        return writer.compute("method", (writer.load(writer.field(base, self.offset(name))), base))

    def set_attribute(self, base: int, name: str, value: int) -> None:
        """Assign to an attribute; properties are called."""
        vocabulary, writer = self.package.vocabulary, self.writer
        if name in vocabulary.properties:
            writer.call(writer.load(writer.field(base, self.offset(setter(name)))), (base, value))
        if "__set__" in vocabulary.methods:
            held = writer.load(writer.field(base, self.offset(name)))
            self.ask(held, "__set__", (base, value))
        if "__setattr__" in vocabulary.methods:
            self.ask(base, "__setattr__", (writer.nothing, value))
        writer.store(writer.field(base, self.offset(name)), value)

    def ask(self, base: int, method: str, arguments: Sequence[int] = ()) -> int:
        """What a method of the program with such a name gives."""
        writer = self.writer
        return writer.call(writer.load(writer.field(base, self.offset(method))), (base, *arguments))

    def special(self, base: int, method: str, arguments: Sequence[int] = ()) -> list[int]:
        """What a method gives that the language calls by itself; nothing if the program has none."""
        if base < 0 or base in self.plain or method not in self.package.vocabulary.methods:
            return []
        return [self.ask(base, method, arguments)] if method not in NEXT else [self.next_of(base, method)]

    def next_of(self, base: int, method: str, end: int | None = None) -> int:
        """What an iterator of the program gives; `end`: where control goes if there is nothing more."""
        writer = self.writer
        landing = writer.new_block() if end is None else end
        writer.landings.append(landing)
        found = self.ask(base, method, () if method in NEXT else (writer.nothing,))
        writer.landings.pop()
        if end is not None:
            return found
        after, last = writer.new_block(), writer.block
        writer.jump(after)
        writer.begin(landing)
        writer.jump(after)
        writer.begin(after)
        return writer.merge([(found, last), (writer.nothing, landing)])

    def compare(self, values: Sequence[int]) -> list[int]:
        """What methods of the program give by which containers find what is equal to a value."""
        if self.package.vocabulary.methods.isdisjoint(COMPARING):
            return []
        those = [each for each in self.with_content(values) if each >= 0]
        other = self.writer.join(those)
        return [
            found
            for each in those
            for name, given in (("__hash__", ()), ("__eq__", (other,)))
            for found in self.special(each, name, given)
        ]

    def truth(self, value: int) -> int:
        """Whether a value counts as true."""
        if value < 0:
            return value
        if value in self.plain and self.is_truth(value):
            return value
        more = [*self.special(value, "__bool__"), *self.special(value, "__len__")]
        return self.writer.judge("truth", [*self.with_content([value]), *more])

    def is_truth(self, value: int) -> bool:
        """Whether a value was judged already."""
        position = value - self.writer.parameters
        return position >= 0 and self.writer.instructions[position].shape.startswith("fcmp")

    def element(self, value: int, end: int | None = None) -> tuple[int, int]:
        """The next element of what is iterated over, and whether there is one, else control goes to `end`."""
        writer = self.writer
        found = [self.content(value)]
        if value >= 0 and value not in self.plain:
            methods = [each for each in (*NEXT, "__getitem__") if each in self.package.vocabulary.methods]
            found += [self.next_of(value, each, end) for each in methods]
        element = writer.compute("element", [value, *found]) if value < 0 else writer.join(found)
        return element, writer.judge("next", [value, *found])

    def iterator(self, value: int) -> int:
        """What gives the elements."""
        found = [each for name in ("__iter__", "__aiter__") for each in self.special(value, name)]
        return self.writer.join([value, *found])

    @property
    def outside(self) -> int:
        """Whatever the program does not define."""
        return self.writer.address(OUTSIDE)

    def warn(self, node: ast.AST, words: str) -> None:
        """Tell the user what cannot be followed."""
        text = f"{self.unit.file}:{getattr(node, 'lineno', 0)}: {words}"
        if text not in self.unit.warnings:
            self.unit.warnings.append(text)


def class_object(made: Class) -> str:
    """The name of the object that a class is."""
    return f"{made.name}.<class>"


def new_routine(made: Class) -> str:
    """The routine that makes an object of a class."""
    return f"{made.name}.<new>"


def setup_routine(made: Class) -> str:
    """The routine that lets an object of a class find its attributes."""
    return f"{made.name}.<attributes>"


def module_object(module: str) -> str:
    """The name of the object that a module is."""
    return f"{module}.<module object>"


def body_routine(module: str) -> str:
    """The routine with the statements of a module."""
    return f"{module}.<module>"
