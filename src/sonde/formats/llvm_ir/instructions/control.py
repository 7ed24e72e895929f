"""Instructions that end a block, and those that depend on where one comes from."""

from __future__ import annotations

import re

from sonde.core.code import Constant, Kind
from sonde.formats.llvm_ir.constants import typed
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody
from sonde.formats.llvm_ir.types.pieces import NAME, split_at_commas

_CONDITION = re.compile(rf"br i1 (.+), label %({NAME}), label %({NAME})$")
_LABEL = re.compile(rf"label %({NAME})")
_CASE = re.compile(rf"i\d+ (-?\d+|true|false), label %({NAME})")
_INCOMING = re.compile(rf"\[ (.+?), %({NAME}) \](?:, |$)")
_JUMP, _BRANCH = Kind.JUMP, Kind.BRANCH
_TRUTH = {"true": 1, "false": 0}


def read_branch(body: RoutineBody, text: str) -> None:
    """`br`."""
    if text.startswith("br label %"):
        body.add(_JUMP, (), "br", (body.labels.get(text[10:], 0),))
        return
    simple = text.split(", ")
    number = body.numbers.get(simple[0][6:])
    if number is not None and len(simple) == 3:
        body.add(_BRANCH, (number,), "br i1", (body.label(simple[1][7:]), body.label(simple[2][7:])))
        return
    found = _CONDITION.match(text)
    if found is None:
        body.add(Kind.STOP, (), text.partition(" ")[0])
        return
    condition, yes, no = found.groups()
    body.add(Kind.BRANCH, (body.operand(condition),), "br i1", (body.label(yes), body.label(no)))


def read_switch(body: RoutineBody, text: str) -> None:
    """`switch`."""
    head, _, rest = text.partition(" [")
    pieces = split_at_commas(head[len("switch ") :]) or [""]
    type_, value = typed(pieces[0])
    default = _LABEL.search(pieces[-1])
    cases, targets = [], [body.label(default[1]) if default else 0]
    for number, label in _CASE.findall(rest):
        cases.append(_TRUTH[number] if number in _TRUTH else int(number))
        targets.append(body.label(label))
    body.add(
        Kind.SWITCH, (body.operand(value),), body.facts.shape(f"switch {type_}"), tuple(targets), tuple(cases)
    )


def read_computed_jump(body: RoutineBody, text: str) -> None:
    """`indirectbr`: as a switch over the labels that it may go to, numbered from the second on."""
    pieces = split_at_commas(text[len("indirectbr ") :]) or [""]
    targets = tuple(body.label(each) for each in _LABEL.findall(pieces[-1]))
    operand = body.operand(typed(pieces[0])[1])
    if not targets:
        body.add(Kind.STOP, (), "indirectbr")
        return
    body.add(Kind.SWITCH, (operand,), "indirectbr", targets, tuple(range(1, len(targets))))


def read_return(body: RoutineBody, text: str) -> None:
    """`ret`."""
    type_, value = typed(text[len("ret ") :])
    if value == "void":
        body.add(Kind.RETURN, (), "ret void")
    else:
        body.add(Kind.RETURN, (body.operand(value),), body.facts.shape(f"ret {type_}"))


def read_stop(body: RoutineBody, text: str) -> None:
    """`unreachable`, and `resume`: an exception that leaves the routine ends it as `abort` does."""
    body.add(Kind.STOP, (), text.partition(" ")[0])


def read_pad_end(body: RoutineBody, text: str) -> None:
    """`catchret`, `cleanupret` and `catchswitch` of other ways to handle exceptions."""
    word = text.partition(" ")[0]
    targets = tuple(body.label(each) for each in _LABEL.findall(text))
    if not targets:
        body.add(Kind.STOP, (), word)
    elif len(targets) == 1:
        body.add(Kind.JUMP, (), word, targets)
    else:
        which = body.outside_operand(Constant("exception"))
        body.add(Kind.SWITCH, (which,), word, targets, tuple(range(1, len(targets))))


def read_phi(body: RoutineBody, text: str) -> None:
    """`phi`."""
    start = text.find(" [ ")
    if start < 0:
        body.add(Kind.PHI, (), "phi")
        return
    pairs = _INCOMING.findall(text, start + 1)
    operands = tuple(body.operand(value) for value, _ in pairs)
    targets = tuple(body.label(label) for _, label in pairs)
    body.add(Kind.PHI, operands, body.facts.shape(text[:start]), targets)
