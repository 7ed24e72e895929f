"""The tree of a C program. Arithmetic is unsigned, so that nothing overflows; indices are masked."""

from __future__ import annotations

from dataclasses import dataclass

# Types


@dataclass(frozen=True)
class Plain:
    """A type that a word or two name: `unsigned`, `struct config`."""

    name: str


@dataclass(frozen=True)
class Pointer:
    to: Type


@dataclass(frozen=True)
class Array:
    of: Type
    length: Expression | None  # None: as long as its initializer


@dataclass(frozen=True)
class Signature:
    """The type of a function."""

    result: Type
    parameters: tuple[Type, ...]


Type = Plain | Pointer | Array | Signature


# Expressions


@dataclass(frozen=True)
class Number:
    """A number that an edit may change to any other from `low` to `high`; if both are it, to none."""

    value: int
    low: int
    high: int
    spelling: str = "u"  # what follows the digits


@dataclass(frozen=True)
class Name:
    text: str


@dataclass(frozen=True)
class Text:
    """A string literal, without its quotes."""

    value: str


@dataclass(frozen=True)
class Letter:
    """A character literal."""

    value: str


@dataclass(frozen=True)
class Member:
    base: Expression
    field: str
    by_pointer: bool = False


@dataclass(frozen=True)
class Element:
    base: Expression
    index: Expression


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: Expression


@dataclass(frozen=True)
class Binary:
    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True)
class Conditional:
    test: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Call:
    function: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Cast:
    type: Type
    operand: Expression


@dataclass(frozen=True)
class SizeOf:
    type: Type


@dataclass(frozen=True)
class Braces:
    """An initializer of an array or a structure."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Designated:
    """`.field = value` in braces."""

    field: str
    value: Expression


Expression = (
    Number
    | Name
    | Text
    | Letter
    | Member
    | Element
    | Unary
    | Binary
    | Conditional
    | Call
    | Cast
    | SizeOf
    | Braces
    | Designated
)


# Statements


@dataclass(frozen=True)
class Declare:
    type: Type
    name: str
    initial: Expression | None = None
    storage: str = ""


@dataclass(frozen=True)
class Assign:
    target: Expression
    operator: str  # "=", "+=", ...
    value: Expression


@dataclass(frozen=True)
class Evaluate:
    value: Expression


@dataclass(frozen=True)
class If:
    test: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Loop:
    """`for (unsigned i = start; i < end; i += step)`; the body does not change `i`, so it ends."""

    variable: str
    start: Expression
    end: Expression
    step: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Repeat:
    """`while` or `do`; the body makes progress towards its end."""

    test: Expression
    body: tuple[Statement, ...]
    is_tested_first: bool = True


@dataclass(frozen=True)
class Case:
    """The code behind some labels; no label: the default."""

    labels: tuple[Expression, ...]
    body: tuple[Statement, ...]
    falls_through: bool = False


@dataclass(frozen=True)
class Switch:
    value: Expression
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Return:
    value: Expression | None = None


@dataclass(frozen=True)
class Jump:
    """`break` or `continue`."""

    word: str


@dataclass(frozen=True)
class Remark:
    """A comment."""

    text: str


Statement = Declare | Assign | Evaluate | If | Loop | Repeat | Switch | Return | Jump | Remark


# What stands in a file


@dataclass(frozen=True)
class Variable:
    """A global; what is not static is declared in the headers."""

    type: Type
    name: str
    initial: Expression | None = None
    is_static: bool = True
    is_constant: bool = False


@dataclass(frozen=True)
class Field:
    type: Type
    name: str


@dataclass(frozen=True)
class Structure:
    """A structure or a union; in another structure it may have no name of its own."""

    name: str
    fields: tuple[Field, ...]
    word: str = "struct"


@dataclass(frozen=True)
class Constant:
    """A name of an enumeration; without a value it is one more than the one before."""

    name: str
    value: Expression | None = None


@dataclass(frozen=True)
class Enumeration:
    name: str
    constants: tuple[Constant, ...]


@dataclass(frozen=True)
class Alias:
    """A `typedef`."""

    type: Type
    name: str


@dataclass(frozen=True)
class Macro:
    """A `#define`; with parameters it is called, and each of them stands in parentheses."""

    name: str
    parameters: tuple[str, ...]
    body: Expression


@dataclass(frozen=True)
class Parameter:
    type: Type
    name: str


@dataclass(frozen=True)
class Function:
    result: Type
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    is_static: bool = True
    is_inline: bool = False


Item = Variable | Structure | Enumeration | Alias | Macro | Function | Remark


@dataclass(frozen=True)
class File:
    """A source, or a header, whose name ends in `.h`.

    `externs`: a header declares what is not static in all sources, before its macros and functions.
    """

    name: str
    includes: tuple[str, ...]  # as they are written: `<stdio.h>`, `"work.h"`
    items: tuple[Item, ...]
    externs: bool = False


@dataclass(frozen=True)
class Program:
    files: tuple[File, ...]
