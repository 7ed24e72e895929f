"""The tree of a Python program. What no edit touches stays text."""

from __future__ import annotations

from dataclasses import dataclass

# Expressions


@dataclass(frozen=True)
class Number:
    value: int


@dataclass(frozen=True)
class Text:
    """A string literal, without its quotes."""

    value: str


@dataclass(frozen=True)
class Name:
    text: str


@dataclass(frozen=True)
class Raw:
    """An expression as it is written: an f-string, a slice, a starred argument."""

    text: str


@dataclass(frozen=True)
class Attribute:
    base: Expression
    field: str


@dataclass(frozen=True)
class Element:
    base: Expression
    index: Expression


@dataclass(frozen=True)
class Keyword:
    """`name=value` in a call."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Call:
    function: Expression
    arguments: tuple[Expression | Keyword, ...]


@dataclass(frozen=True)
class Unary:
    operator: str  # "not", "-", ...
    operand: Expression


@dataclass(frozen=True)
class Binary:
    """An operator between two operands, `and` and `or` among them."""

    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True)
class Compare:
    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True)
class Conditional:
    test: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True)
class Display:
    """A list, a tuple or a set."""

    opening: str  # one of the keys of CLOSING
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Row:
    key: Expression
    value: Expression


@dataclass(frozen=True)
class Table:
    """A dictionary."""

    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Comprehension:
    """A list, a set or a generator with one loop; with a key, a dictionary."""

    opening: str
    element: Expression
    variable: Expression
    source: Expression
    tests: tuple[Expression, ...] = ()
    key: Expression | None = None


@dataclass(frozen=True)
class Parameter:
    """`name`, `name=default`, `*name` or `**name`."""

    name: str
    default: Expression | None = None


@dataclass(frozen=True)
class Lambda:
    parameters: tuple[Parameter, ...]
    body: Expression


Expression = (
    Number
    | Text
    | Name
    | Raw
    | Attribute
    | Element
    | Call
    | Unary
    | Binary
    | Compare
    | Conditional
    | Display
    | Table
    | Comprehension
    | Lambda
)

CLOSING = {"[": "]", "(": ")", "{": "}"}


# Statements


@dataclass(frozen=True)
class Assign:
    target: Expression
    value: Expression


@dataclass(frozen=True)
class Augment:
    """`target += value`."""

    target: Expression
    operator: str  # "+", ...
    value: Expression


@dataclass(frozen=True)
class Evaluate:
    """An expression as a statement; a docstring is one."""

    value: Expression


@dataclass(frozen=True)
class If:
    test: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class For:
    variable: Expression
    source: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class While:
    test: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Return:
    value: Expression | None


@dataclass(frozen=True)
class Line:
    """A statement as it is written: `pass`, `continue`, `raise ...`, `nonlocal x`."""

    text: str


@dataclass(frozen=True)
class Remark:
    """A comment."""

    text: str


@dataclass(frozen=True)
class Imported:
    """A name that an import brings."""

    name: str


@dataclass(frozen=True)
class Import:
    """`from module import names`, or `import module` if there are none."""

    module: str
    names: tuple[Imported, ...] = ()


@dataclass(frozen=True)
class Handler:
    """What is done if something was raised."""

    caught: str
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Try:
    body: tuple[Statement, ...]
    handlers: tuple[Handler, ...]
    last: tuple[Statement, ...] = ()  # after `finally`


@dataclass(frozen=True)
class With:
    context: Expression
    name: str  # empty: it has none
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Function:
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    decorators: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Field:
    """`name: annotation = value` in a dataclass."""

    name: str
    annotation: str
    value: Expression | None = None


@dataclass(frozen=True)
class Class:
    name: str
    bases: tuple[Expression, ...]
    body: tuple[Statement, ...]
    decorators: tuple[Expression, ...] = ()


Statement = (
    Assign
    | Augment
    | Evaluate
    | If
    | For
    | While
    | Return
    | Line
    | Remark
    | Import
    | Try
    | With
    | Function
    | Field
    | Class
)


@dataclass(frozen=True)
class File:
    name: str
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Program:
    files: tuple[File, ...]
