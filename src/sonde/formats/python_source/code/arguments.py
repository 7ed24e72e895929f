"""How the arguments of a call come to the parameters of what is called."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.names.definitions import ParameterOrder


@dataclass(frozen=True)
class Arguments:
    """The values that a call hands over."""

    values: tuple[int, ...]  # up to the first `*`
    rest: tuple[int, ...] = ()  # what may come at any place from there on
    named: Mapping[str, int] = field(default_factory=dict)
    any_name: tuple[int, ...] = ()  # what may come under any name
    nodes: tuple[ast.expr, ...] = ()  # the expressions, for what calls back

    @property
    def all(self) -> tuple[int, ...]:
        """Every value, in the order of `nodes`."""
        return (*self.values, *self.rest, *self.named.values(), *self.any_name)


def evaluate_arguments(body: PythonBody, node: ast.Call) -> Arguments:
    """The values of the arguments of a call."""
    values: list[int] = []
    rest: list[int] = []
    named: dict[str, int] = {}
    any_name: list[int] = []
    nodes: dict[str, list[ast.expr]] = {"values": [], "rest": [], "named": [], "any": []}
    for each in node.args:
        if isinstance(each, ast.Starred):
            value = body.value(each.value)
            rest += [body.element(body.iterator(value))[0]]
            nodes["rest"].append(each)
        elif rest:
            rest.append(body.value(each))
            nodes["rest"].append(each)
        else:
            values.append(body.value(each))
            nodes["values"].append(each)
    for keyword in node.keywords:
        value = body.value(keyword.value)
        if keyword.arg is None:
            any_name.append(body.content(value))
            nodes["any"].append(keyword.value)
        else:
            named[keyword.arg] = value
            nodes["named"].append(keyword.value)
    every = (*nodes["values"], *nodes["rest"], *nodes["named"], *nodes["any"])
    return Arguments(tuple(values), tuple(rest), named, tuple(any_name), tuple(every))


def placed(body: PythonBody, given: Arguments, layout: ParameterOrder, receiver: int) -> list[int]:
    """The operands for a routine of this layout."""
    writer = body.writer
    slots: list[list[int]] = [[] for _ in range(layout.count)]
    for number, value in enumerate(given.values[: layout.places]):
        slots[1 + number].append(value)
    for number in range(1 + len(given.values), 1 + layout.places):
        slots[number] += given.rest
    for name, value in given.named.items():
        place = layout.place_of(name)
        if place:
            slots[place].append(value)
    if given.any_name:
        for number in range(1 + len(given.values), layout.count):
            slots[number] += given.any_name
    operands = [receiver, *(writer.join(each) if each else writer.nothing for each in slots[1:])]
    while len(operands) > 1 and not slots[len(operands) - 1]:
        operands.pop()
    return operands


def call_unknown(
    body: PythonBody,
    callee: int,
    given: Arguments,
    receiver: int,
    layouts: Iterable[ParameterOrder],
    *,
    is_open: bool,
) -> list[int]:
    """What a call of a value gives; `layouts` are those that it may have, `is_open`: or any other.

    Named arguments go by the layouts, and to all parameters of their name where others may be called.
    """
    writer = body.writer
    plain = plain_operands(body, given, receiver)
    if not given.named and not given.any_name:
        return [writer.call(callee, plain)]
    if is_open:
        for name, value in given.named.items():
            for channel in (name, "any"):
                writer.store(writer.address(body.unit.variable(keyword(channel))), value)
        for value in given.any_name:
            writer.store(writer.address(body.unit.variable(keyword("**"))), value)
    operands = {tuple(placed(body, given, each, receiver)): None for each in layouts}
    return [writer.call(callee, each) for each in operands] or [writer.call(callee, plain)]


def plain_operands(body: PythonBody, given: Arguments, receiver: int) -> tuple[int, ...]:
    """The operands for what takes positional arguments only."""
    slots = body.package.vocabulary.slots
    further: Sequence[int] = ()
    if given.rest:
        further = (body.writer.join(given.rest),) * max(0, slots - len(given.values))
    return (receiver, *given.values, *further)


def keyword(name: str) -> str:
    """The global through which a named argument comes to functions that nobody knows where it is given."""
    return f"keyword {name}"
