"""`getelementptr`: the address of a field or an element."""

from __future__ import annotations

import re

from sonde.core.code import FieldStep, Kind
from sonde.formats.llvm_ir.constants import typed
from sonde.formats.llvm_ir.facts import ModuleFacts
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody
from sonde.formats.llvm_ir.types.layouts import array_length
from sonde.formats.llvm_ir.types.pieces import NAME, split_at_commas

_SIMPLE = re.compile(
    rf"getelementptr ((?:inbounds |nusw |nuw )*)([^,(]+), ptr ([%@]{NAME})((?:, i\d+ (?:%{NAME}|-?\d+))*)$"
)
_VARYING = re.compile(rf"%{NAME}")
_FLAG = re.compile(r"(?:inbounds|nusw|nuw|inrange\([^)]*\)) ")
_STEP = re.compile(r", i\d+ (-?\d+)$")


def read_field(body: RoutineBody, text: str) -> None:
    """Arrays are folded: an index into one counts only as a step, and as an operand if it varies.

    An index into bytes that is constant may mean a field or an element; `byte_steps` decides that later,
    when all of the routine is known.
    """
    found = _SIMPLE.match(text)
    if found is not None:
        flags, type_, base, rest = found.groups()
        varying = _VARYING.findall(rest) if "%" in rest else []
        if varying:
            rest = _VARYING.sub("?", rest)
    else:
        flags, type_, base, rest, varying = _cut(text)
    facts = body.facts
    known = facts.seen_fields.get((flags, type_, rest))
    if known is None:
        known = facts.seen_fields[flags, type_, rest] = _field(facts, flags, type_, rest)
    shape, structure, offset, steps = known
    number = body.numbers.get(base)
    operands = (body.operand(base) if number is None else number, *(body.operand(each) for each in varying))
    if not varying and (step := _STEP.match(rest)) is not None:
        if type_ == "i8":
            body.byte_steps.append((len(body.instructions), int(step[1])))
        elif type_ == "ptr" and base.startswith("%vtable"):
            # So clang calls the table of virtual functions, whose entries are no array.
            offset, steps = int(step[1]) * facts.layouts.of("ptr").size, ()
    body.add(Kind.FIELD, operands, shape, offset=offset, type_=structure, steps=steps)


def _cut(text: str) -> tuple[str, str, str, str, list[str]]:
    """Flags, type, base, indices with `?` for those that vary, and these."""
    rest = text[len("getelementptr ") :]
    flags = ""
    while (found := _FLAG.match(rest)) is not None:
        flags += found[0]
        rest = rest[found.end() :]
    pieces = split_at_commas(rest) or [""]
    base = typed(pieces[1])[1] if len(pieces) > 1 else ""
    indices, varying = "", []
    for piece in pieces[2:]:
        type_, value = typed(piece)
        if not value.lstrip("-").isdigit():
            varying.append(value)
            value = "?"
        indices += f", {type_} {value}"
    return flags, pieces[0], base, indices, varying


def _field(
    facts: ModuleFacts, flags: str, type_: str, rest: str
) -> tuple[str, str, int, tuple[FieldStep, ...]]:
    """Shape, structure, offset and steps of a way from a type along indices.

    The shape names members where the source does, so that a new member in front of others changes no code
    that uses these.
    """
    indices = [piece.rpartition(" ")[2] for piece in rest.split(", ")[1:]]
    shape = f"getelementptr {flags}{facts.type(type_)[0]}"
    if indices:
        shape += f" {indices[0]}"
    structure, offset, at = "", 0, type_
    steps: list[FieldStep] = []
    if indices and indices[0] != "0":
        steps.append(FieldStep(0, stride=max(facts.layouts.of(type_).size, 1)))
    for index in indices[1:]:
        layout = facts.layouts.of(at)
        if layout.is_array:
            at = layout.fields[0]
            shape += f" [{index}]"
            size = max(facts.layouts.of(at).size, 1)
            steps.append(FieldStep(offset, array_length(layout, size), size if index != "0" else 0))
        elif index.isdigit() and int(index) < len(layout.fields):
            structure = structure or (facts.structure(type_) if type_[:1] == "%" else facts.structure(at))
            name = facts.member(facts.structure(at), layout.offsets[int(index)])
            shape += f" .{name or index}"
            offset += layout.offsets[int(index)]
            at = layout.fields[int(index)]
            inner = facts.layouts.of(at)
            if inner.fields and inner.size and layout.offsets[int(index)]:
                # What begins with its structure may mean all of that, once it is cast.
                steps.append(FieldStep(offset, inner.size))
        else:
            shape += f" {index}"
            steps.append(FieldStep(offset, stride=1))
    return facts.shape(shape), structure, offset, tuple(steps)
