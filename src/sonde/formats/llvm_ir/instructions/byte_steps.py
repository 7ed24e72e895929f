"""Whether a constant step over bytes leads to a field, or along an array of bytes.

Newer compilers write the address of a field as a step over bytes (`getelementptr i8, ptr %p, i64 8`), as
they write `p + 8` of a `char *`. What is stepped over decides:
- a pointer that is set to the result (`p = p + 8`): an array, any element of 8 bytes;
- a local variable or global, or a pointer to a structure as the source declares it: the field there, with
  arrays folded;
- a pointer to bytes as the source declares it: the array;
- otherwise, if only single bytes are read or written there: the array; else the field.
A step out of a structure, such as from a member to what contains it, is kept as it is.
"""

from __future__ import annotations

from sonde.core.code import Address, FieldStep, Instruction, Kind
from sonde.formats.llvm_ir.instructions.bodies import RoutineBody

Meaning = tuple[int, str, tuple[FieldStep, ...]]  # offset, structure, and the steps to there


def settle_byte_steps(body: RoutineBody) -> None:
    """Give each constant step over bytes its offset."""
    if not body.byte_steps:
        return
    users: dict[int, list[Instruction]] = {body.parameters + at: [] for at, _ in body.byte_steps}
    for instruction in body.instructions:
        for operand in instruction.operands:
            if operand in users:
                users[operand].append(instruction)
    for at, step in body.byte_steps:
        instruction = body.instructions[at]
        value = body.parameters + at
        found = _meaning(body, instruction, step, value, users[value])
        if found is None:
            along = (FieldStep(0, stride=abs(step)),) if step else ()
            body.instructions[at] = instruction._replace(offset=0, type="", steps=along)
        else:
            offset, structure, steps = found
            body.instructions[at] = instruction._replace(offset=offset, type=structure, steps=steps)


def _meaning(
    body: RoutineBody, step_instruction: Instruction, step: int, number: int, users: list[Instruction]
) -> Meaning | None:
    """The field that it leads to; None if it goes along an array."""
    facts = body.facts
    base = step_instruction.operands[0]
    if _walks(body, base, number, users):
        return None
    if base < 0:
        outside = body.outside[~base]
        type_ = facts.global_types.get(outside.name) if isinstance(outside, Address) else None
        if type_ is None:
            return step, "", ()
        already = outside.offset if isinstance(outside, Address) else 0
        return facts.layouts.fold(type_, already + step) - already, facts.structure(type_), ()
    if base in body.allocated:
        type_ = body.allocated[base]
        size = facts.layouts.of(type_).size
        if 0 <= step <= size:
            structure = facts.structure(facts.layouts.element(type_))
            return facts.layouts.fold(type_, step), structure, facts.layouts.steps_to(type_, step)
        return step, "", ()
    declared = _declared(body, base)
    if declared and facts.structures.is_text_pointer(declared):
        return None
    if declared and (structure := facts.structures.behind(declared)):
        return _member(body, structure, step)
    if users and all(_moves_a_byte(user) for user in users):
        return None
    return step, "", ()


def _walks(body: RoutineBody, base: int, number: int, users: list[Instruction]) -> bool:
    """Whether a pointer is moved: the result goes where the base comes from."""
    if base < body.parameters:
        return False
    origin = body.instructions[base - body.parameters]
    if origin.kind is Kind.PHI:
        return number in origin.operands
    return origin.kind is Kind.LOAD and any(
        user.kind is Kind.STORE and user.operands == (origin.operands[0], number) for user in users
    )


def _declared(body: RoutineBody, value: int) -> str:
    """The note of the type that the source gives a pointer, a parameter or read from a variable."""
    if value < body.parameters:
        return body.types.get(value, "")
    instruction = body.instructions[value - body.parameters]
    if instruction.kind is Kind.LOAD:
        return body.types.get(instruction.operands[0], "")
    return ""


def _member(body: RoutineBody, structure: str, step: int) -> Meaning:
    """The offset with arrays folded, if the structure has a member there."""
    facts = body.facts
    type_ = facts.type_of(structure)
    if type_ is None:
        return step, structure, ()
    if 0 <= step < facts.layouts.of(type_).size:
        return facts.layouts.fold(type_, step), structure, facts.layouts.steps_to(type_, step)
    return step, "", ()


def _moves_a_byte(user: Instruction) -> bool:
    """Whether it reads or writes one byte there (not: stores the address as a value)."""
    if user.size != 1:
        return False
    return user.kind is Kind.LOAD or user.kind is Kind.STORE
