"""Instructions as differences see them: without numbers, lines and names of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from sonde.core.code import Address, Assembly, Constant, Instruction, Kind, Outside, Routine, Unit

Form = tuple[object, ...]
FIELD = Kind.FIELD


@dataclass(frozen=True)
class Names:
    """What names of one program are called in the other: an empty mapping for the new one."""

    renamed: Mapping[str, str]
    texts: Mapping[str, str]  # literals by what they say
    types: Mapping[str, Mapping[int, str]]  # the fields of structures by their offsets

    def outside(self, outside: Outside) -> Form:
        """A constant or address in the same words for both programs."""
        if isinstance(outside, Constant):
            return ("constant", outside.text)
        if isinstance(outside, Assembly):
            return ("assembly", outside.text)
        text = self.texts.get(outside.name)
        if text is not None:
            return ("text", text, outside.offset)
        return ("address", self.renamed.get(outside.name, outside.name), outside.offset)

    def field(self, type: str, offset: int) -> object:
        """A field by its name where known, so that another one before it does not matter."""
        return self.types.get(type, {}).get(offset, offset)


def names_of(units: Sequence[Unit], renamed: Mapping[str, str]) -> Names:
    """The names of a program."""
    texts = {each.name: each.text for unit in units for each in unit.globals if each.text}
    types: dict[str, dict[int, str]] = {}
    for unit in units:
        for type, members in unit.types.items():
            if type not in types:
                fields = types[type] = {}
                for member in members:
                    fields.setdefault(member.offset, member.name)
    return Names(renamed, texts, types)


def own_form(instruction: Instruction, names: Names) -> Form:
    """An instruction without its operands and targets."""
    if instruction.kind is FIELD:
        return (
            instruction.kind,
            instruction.shape,
            instruction.type,
            names.field(instruction.type, instruction.offset),
        )
    return (instruction.kind, instruction.shape, instruction.cases)


def own_lines(instruction: Instruction, outside: Sequence[Outside]) -> frozenset[int]:
    """The operands that are the number of the instruction's own line, as `__LINE__` is."""
    line = instruction.place.line
    if not line:
        return frozenset()
    found = []
    for operand in instruction.operands:
        if operand < 0:
            thing = outside[~operand]
            if isinstance(thing, Constant) and thing.text == str(line):
                found.append(operand)
    return frozenset(found)


def are_equal(old: Routine, new: Routine, old_names: Names, new_names: Names) -> bool:
    """Whether two routines do the same, step by step."""
    if old.parameters != new.parameters or len(old.instructions) != len(new.instructions):
        return False
    old_outside = [old_names.outside(each) for each in old.outside]
    new_outside = [new_names.outside(each) for each in new.outside]
    is_same_outside = old_outside == new_outside
    for a, b in zip(old.instructions, new.instructions, strict=True):
        if a.shape != b.shape or a.kind is not b.kind or a.block != b.block or a.targets != b.targets:
            return False
        if (a.kind is FIELD or a.cases or b.cases) and own_form(a, old_names) != own_form(b, new_names):
            return False
        if is_same_outside and a.operands == b.operands:
            continue
        before = tuple(each if each >= 0 else old_outside[~each] for each in a.operands)
        after = tuple(each if each >= 0 else new_outside[~each] for each in b.operands)
        if before != after and not _differ_in_lines(a, b, before, after, old, new):
            return False
    return True


def _differ_in_lines(
    a: Instruction, b: Instruction, before: Form, after: Form, old: Routine, new: Routine
) -> bool:
    old_lines, new_lines = own_lines(a, old.outside), own_lines(b, new.outside)
    return len(before) == len(after) and all(
        x == y or (p in old_lines and q in new_lines)
        for x, y, p, q in zip(before, after, a.operands, b.operands, strict=True)
    )


def successors_of(routine: Routine) -> list[tuple[int, ...]]:
    """For each block where it may go."""
    return [
        routine.instructions[end - 1].targets
        if end > start and routine.instructions[end - 1].kind is not Kind.PHI
        else ()
        for start, end in routine.blocks
    ]


def rough_form(routine: Routine, known: Set[str]) -> Form:
    """A routine with all names left out that only one program has: to find out what was renamed."""
    outside: list[Form] = []
    for each in routine.outside:
        if isinstance(each, Address):
            outside.append(("address", each.name if each.name in known else "?", each.offset))
        else:
            outside.append(("other", str(each)))
    return (
        routine.parameters,
        tuple(
            (
                each.kind,
                each.shape,
                tuple(n if n >= 0 else outside[~n] for n in each.operands),
                each.targets,
                each.offset,
            )
            for each in routine.instructions
        ),
    )
