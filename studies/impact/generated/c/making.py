"""Short ways to write parts of the tree."""

from __future__ import annotations

from studies.impact.generated.c.nodes import (
    Assign,
    Binary,
    Call,
    Declare,
    Element,
    Evaluate,
    Expression,
    Loop,
    Member,
    Name,
    Number,
    Plain,
    Pointer,
    Return,
    Statement,
    Type,
    Unary,
)

UNSIGNED = Plain("unsigned")
INT = Plain("int")
VOID = Plain("void")
CHAR = Plain("char")
BYTE = Plain("unsigned char")
SIZE = Plain("size_t")


def fixed(value: int) -> Number:
    """A number that no edit changes."""
    return Number(value, value, value)


def plain(value: int) -> Number:
    """A fixed number without a suffix, as for an `int`."""
    return Number(value, value, value, "")


def free(value: int, low: int = 0, high: int = 0xFFFF) -> Number:
    """A number that an edit may change."""
    return Number(value, low, high)


def call(function: str | Expression, *arguments: Expression) -> Call:
    """A call of a function by its name, or through an expression."""
    return Call(Name(function) if isinstance(function, str) else function, arguments)


def do(function: str | Expression, *arguments: Expression) -> Evaluate:
    """A call whose result is not used."""
    return Evaluate(call(function, *arguments))


def binary(left: Expression, operator: str, right: Expression) -> Binary:
    """An operator between two expressions."""
    return Binary(left, operator, right)


def masked(index: Expression, size: int) -> Binary:
    """An index below `size`, a power of two."""
    return Binary(index, "&", fixed(size - 1))


def element(array: str | Expression, index: Expression) -> Element:
    """An element of an array."""
    return Element(Name(array) if isinstance(array, str) else array, index)


def arrow(pointer: str | Expression, field: str) -> Member:
    """A field behind a pointer."""
    return Member(Name(pointer) if isinstance(pointer, str) else pointer, field, by_pointer=True)


def dot(structure: str | Expression, field: str) -> Member:
    """A field of a structure."""
    return Member(Name(structure) if isinstance(structure, str) else structure, field)


def address(of: Expression) -> Unary:
    """The address of something."""
    return Unary("&", of)


def assign(target: str | Expression, value: Expression, operator: str = "=") -> Assign:
    """A variable gets a value."""
    return Assign(Name(target) if isinstance(target, str) else target, operator, value)


def declare(name: str, initial: Expression | None = None, type: Type = UNSIGNED) -> Declare:
    """A local variable."""
    return Declare(type, name, initial)


def count(variable: str, end: Expression, *body: Statement) -> Loop:
    """A loop that counts up from 0."""
    return Loop(variable, fixed(0), end, fixed(1), body)


def give(value: Expression) -> Return:
    """The result of a function."""
    return Return(value)


def pointer(to: Type | str) -> Pointer:
    """A pointer."""
    return Pointer(Plain(to) if isinstance(to, str) else to)
