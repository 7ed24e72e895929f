"""Instructions as differences see them: without numbers, lines and names of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from sonde.core.code import Address, Assembly, Constant, Instruction, Kind, Outside, Routine, Unit

Form = tuple[object, ...]


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
    if instruction.kind is Kind.FIELD:
        return (
            instruction.kind,
            instruction.shape,
            instruction.type,
            names.field(instruction.type, instruction.offset),
        )
    return (instruction.kind, instruction.shape, instruction.cases)


def full_form(instruction: Instruction, outside: Sequence[Form], names: Names) -> Form:
    """An instruction with all that belongs to it; values and blocks by their numbers."""
    operands = tuple(each if each >= 0 else outside[~each] for each in instruction.operands)
    return (*own_form(instruction, names), operands, instruction.targets, instruction.block)


def are_equal(old: Routine, new: Routine, old_names: Names, new_names: Names) -> bool:
    """Whether two routines do the same, step by step."""
    if old.parameters != new.parameters or len(old.instructions) != len(new.instructions):
        return False
    old_outside = [old_names.outside(each) for each in old.outside]
    new_outside = [new_names.outside(each) for each in new.outside]
    return all(
        full_form(a, old_outside, old_names) == full_form(b, new_outside, new_names)
        for a, b in zip(old.instructions, new.instructions, strict=True)
    )


def successors_of(routine: Routine) -> list[tuple[int, ...]]:
    """For each block where it may go."""
    return [
        routine.instructions[end - 1].targets
        if end > start and routine.instructions[end - 1].kind is not Kind.PHI
        else ()
        for start, end in routine.blocks
    ]


def dead_ends_of(routine: Routine) -> frozenset[int]:
    """Blocks from which every way ends in STOP, as far as the routine itself shows."""
    after = successors_of(routine)
    before: list[list[int]] = [[] for _ in after]
    for block, targets in enumerate(after):
        for each in targets:
            before[each].append(block)
    # What can come to an end (or run forever) is alive; the rest is not.
    stack = [
        block
        for block, (start, end) in enumerate(routine.blocks)
        if not after[block] and not (end > start and routine.instructions[end - 1].kind is Kind.STOP)
    ]
    stops = [block for block, targets in enumerate(after) if not targets and block not in set(stack)]
    if not stops:
        return frozenset()
    alive = _closure(stack, before)
    doomed = _closure(stops, before)
    return frozenset(block for block in doomed if block not in alive)


def _closure(start: Sequence[int], after: Sequence[Sequence[int]]) -> Set[int]:
    seen = set(start)
    stack = list(start)
    while stack:
        for each in after[stack.pop()]:
            if each not in seen:
                seen.add(each)
                stack.append(each)
    return seen


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
