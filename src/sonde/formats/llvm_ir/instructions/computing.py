"""Arithmetic, comparisons, conversions, and every instruction that has no reader of its own."""

from __future__ import annotations

import re

from sonde.core.code import Instruction, Kind
from sonde.formats.llvm_ir.constants import typed
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody, new
from sonde.formats.llvm_ir.types.pieces import NAME, split_at_commas

_SIMPLE = rf"[%@]{NAME}|[-+\w.]+"
_TWO = re.compile(rf"(.+) ({_SIMPLE}), ({_SIMPLE})$")
_COMPUTE = Kind.COMPUTE
_MENTIONED = re.compile(rf"[%@]{NAME}")
_NAMED = re.compile(rf"@{NAME}")


def read_two(body: RoutineBody, text: str) -> None:
    """`add`, `icmp` and their like: one type, two operands."""
    before, _, right = text.rpartition(", ")
    head, _, left = before.rpartition(" ")
    first, second = body.numbers.get(left), body.numbers.get(right)
    shape = body.facts.seen_shapes.get(head)
    if shape is not None and first is not None and second is not None:
        body.instructions.append(
            new(Instruction, (_COMPUTE, (first, second), shape, body.block, body.place, (), (), 0, "", 0, ()))
        )
        return
    found = _TWO.match(text)
    if found is None:
        read_any(body, text)
        return
    head, left, right = found.groups()
    body.add(Kind.COMPUTE, (body.operand(left), body.operand(right)), body.facts.shape(head))


def read_cast(body: RoutineBody, text: str) -> None:
    """`sext`, `bitcast` and their like."""
    before, _, to = text.rpartition(" to ")
    head, _, value = before.rpartition(" ")
    number = body.numbers.get(value)
    if number is None:
        value = typed(before.partition(" ")[2])[1]
        number = body.operand(value)
        head = before[: len(before) - len(value)].rstrip()
    body.add(_COMPUTE, (number,), body.facts.shape(f"{head} to {to}"))


def read_part(body: RoutineBody, text: str) -> None:
    """`extractvalue` and `insertvalue`: which part it is belongs to the shape."""
    word, _, rest = text.partition(" ")
    pieces = split_at_commas(rest)
    operands, shape = [], word
    for piece in pieces:
        if piece.isdigit():
            shape += f" {piece}"
            continue
        type_, value = typed(piece)
        operands.append(body.operand(value))
        shape += f" {type_}"
    body.add(Kind.COMPUTE, tuple(operands), body.facts.shape(shape))


def read_landing(body: RoutineBody, text: str) -> None:
    """`landingpad`: what it catches are its operands."""
    operands = tuple(body.operand(each) for each in _NAMED.findall(text))
    body.add(Kind.COMPUTE, operands, body.facts.shape(_NAMED.sub("", text)))


def read_any(body: RoutineBody, text: str) -> None:
    """`select`, vectors, `freeze`, `fence`, ..., and whatever a newer LLVM has: all values are operands."""
    word, _, rest = text.partition(" ")
    operands, shape = [], [word]
    for piece in split_at_commas(rest):
        type_, value = typed(piece)
        is_value = value != type_ or piece[:1] in {"%", "@"} or bool(shape[1:])
        if piece.startswith("align ") or not is_value:
            shape.append(piece)
            continue
        operands.append(body.operand(value))
        shape.append(piece[: piece.rfind(value)].strip())
    body.add(Kind.COMPUTE, tuple(operands), body.facts.shape(" ".join(part for part in shape if part)))


def read_unknown(body: RoutineBody, text: str) -> None:
    """An instruction that this reader does not know."""
    values = [each for each in _MENTIONED.findall(text) if each in body.numbers or each[0] == "@"]
    body.add(
        Kind.COMPUTE,
        tuple(body.operand(each) for each in values),
        body.facts.shape(_MENTIONED.sub("%", text)),
    )
