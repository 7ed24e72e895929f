"""What shrinking may put in the place of a node of a Python program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from studies.impact.generated.python.nodes import (
    Attribute,
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Element,
    For,
    If,
    Keyword,
    Lambda,
    Name,
    Number,
    Raw,
    Try,
    Unary,
    While,
    With,
)


def simpler(node: object) -> Iterator[object]:
    """Nodes of the same kind that are smaller, the smallest first."""
    if isinstance(node, Compare):
        yield Raw("True")
        yield Raw("False")
    if isinstance(node, Binary | Conditional | Call | Comprehension | Element | Unary | Attribute | Lambda):
        yield Number(1)
        yield from _parts(node)
    if isinstance(node, Name):
        yield Number(1)
    if isinstance(node, Number) and node.value > 1:
        yield replace(node, value=1)


def _parts(node: object) -> Iterator[object]:
    match node:
        case Binary():
            yield node.left
            yield node.right
        case Conditional():
            yield node.yes
            yield node.no
        case Call():
            yield from (each for each in node.arguments if not isinstance(each, Keyword))
        case Unary():
            yield node.operand
        case _:
            pass


def unwrapped(node: object) -> Iterator[tuple[object, ...]]:
    """The statements inside of a statement, which may come in its place."""
    match node:
        case If():
            yield node.yes
            if node.no:
                yield node.no
        case For() | While() | With() | Try():
            yield node.body
        case _:
            pass
