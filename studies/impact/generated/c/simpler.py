"""What shrinking may put in the place of a node of a C program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from studies.impact.generated.c.making import fixed
from studies.impact.generated.c.nodes import (
    Assign,
    Binary,
    Braces,
    Call,
    Cast,
    Conditional,
    Element,
    Expression,
    If,
    Loop,
    Member,
    Name,
    Number,
    Switch,
    Unary,
)
from studies.impact.generated.trees import Changed


def simpler(node: object) -> Iterator[object]:
    """Nodes of the same kind that are smaller, the smallest first; a part of a block may become several."""
    if isinstance(node, Binary | Conditional | Call | Cast | Element | Unary | Member):
        yield fixed(0)
        yield fixed(1)
        yield from _parts(node)
    if isinstance(node, Name):
        yield fixed(1)
    if isinstance(node, Number) and node.value > 1:
        yield replace(node, value=1)
        yield replace(node, value=node.value // 2)
    if isinstance(node, Assign) and node.operator != "=":
        yield replace(node, operator="+=")
    if isinstance(node, Braces) and not node.parts:
        yield fixed(0)


def _parts(node: Expression) -> Iterator[object]:
    match node:
        case Binary():
            yield node.left
            yield node.right
        case Conditional():
            yield node.yes
            yield node.no
        case Call():
            yield from node.arguments
        case Cast() | Unary():
            yield node.operand
        case _:
            pass


def unwrapped(node: object) -> Iterator[tuple[object, ...]]:
    """The statements inside of a statement, which may come in its place."""
    if isinstance(node, If):
        yield node.yes
        if node.no:
            yield node.no
    if isinstance(node, Loop):
        yield node.body
    if isinstance(node, Switch):
        for case in node.cases:
            if not isinstance(case, Changed):
                yield case.body
