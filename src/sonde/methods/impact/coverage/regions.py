"""All changed code, block by block, with the lines by which one sees that it was executed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from sonde.core.code import Address, SourceLine
from sonde.core.findings.impacts import ChangedRegion, Witnesses
from sonde.methods.impact.coverage.witnesses import Observing
from sonde.methods.impact.differences.programs import Differences, RoutineDifference
from sonde.methods.impact.program.linking import GlobalRef, Program

Blocks = Mapping[int, Mapping[int, SourceLine]]  # by routine and block: the first changed line


def find_regions(differences: Differences) -> tuple[ChangedRegion, ...]:
    """The changed code of both programs.

    Code of the head is looked for in the base as well: instructions that have not changed, and run together
    with it, show there whether it would run. Code that names a changed table counts as changed.
    """
    old, new = differences.old, differences.new
    kept = {each.new: {b: a for a, b in each.kept} for each in differences.routines if each.new is not None}
    before = {new_number: old_number for old_number, new_number in differences.pairs.items()}

    def in_base(routine: int, position: int) -> SourceLine | None:
        """The line of an instruction of the head in the base, if that has it."""
        if routine not in before:
            return None
        code = old.routines[before[routine]]
        number = kept[routine].get(position) if routine in kept else position
        if number is None or number >= len(code.instructions):
            return None
        return code.instructions[number].place

    at_base = Observing(old, lambda routine, position: old.routines[routine].instructions[position].place)
    head_at_base = Observing(new, in_base)
    at_head = Observing(new, lambda routine, position: new.routines[routine].instructions[position].place)
    found: list[ChangedRegion] = []
    for routine, block, place in _walk(_changed(differences, is_old=True)):
        name = old.routines[routine].shown or old.routines[routine].name
        found.append(ChangedRegion(name, place, True, at_base.witnesses(routine, block)))
    for routine, block, place in _walk(_changed(differences, is_old=False)):
        name = new.routines[routine].shown or new.routines[routine].name
        witnesses = (
            head_at_base.witnesses(routine, block)
            if routine in before
            else Witnesses(callers=head_at_base.witnesses(routine, 0).callers, is_known=False)
        )
        found.append(ChangedRegion(name, place, False, witnesses, at_head.witnesses(routine, block)))
    return tuple(found)


def _walk(blocks: Blocks) -> Iterator[tuple[int, int, SourceLine]]:
    for routine, several in sorted(blocks.items()):
        for block, place in sorted(several.items()):
            yield routine, block, place


def _changed(differences: Differences, is_old: bool) -> Blocks:
    """The blocks with changed code of one program."""
    program = differences.old if is_old else differences.new
    found: defaultdict[int, dict[int, SourceLine]] = defaultdict(dict)
    positions = chain(
        *(_positions(program, each, is_old) for each in differences.routines),
        _readers(program, _globals(differences, is_old)),
    )
    for routine, position in sorted(set(positions)):
        each = program.routines[routine].instructions[position]
        known = found[routine].get(each.block)
        if known is None or not known.line:
            found[routine][each.block] = each.place if each.place.line else program.routines[routine].place
    return found


def _positions(program: Program, difference: RoutineDifference, is_old: bool) -> Iterator[tuple[int, int]]:
    number = difference.old if is_old else difference.new
    side = difference.old_side if is_old else difference.new_side
    if number is None:
        return
    blocks = program.routines[number].blocks
    yield from ((number, position) for position in side.changed | side.decisions)
    yield from ((number, blocks[block][0]) for block in side.blocks)


def _globals(differences: Differences, is_old: bool) -> frozenset[GlobalRef]:
    numbers = (each.old if is_old else each.new for each in differences.globals)
    return frozenset(GlobalRef(number) for number in numbers if number is not None)


def _readers(program: Program, changed: Iterable[GlobalRef]) -> Iterator[tuple[int, int]]:
    """The instructions that name one of these globals, or a global that points to one."""
    wanted = set(changed)
    while more := _pointing_to(program, wanted) - wanted:
        wanted |= more
    if not wanted:
        return
    for number, named in enumerate(program.global_addresses):
        operands = {operand for each in wanted & named.keys() for operand in named[each]}
        if operands:
            for position, instruction in enumerate(program.routines[number].instructions):
                if not operands.isdisjoint(instruction.operands):
                    yield number, position


def _pointing_to(program: Program, wanted: Iterable[GlobalRef]) -> set[GlobalRef]:
    """The globals whose first value has the address of one of these."""
    targets = set(wanted)
    return {
        GlobalRef(number)
        for number, each in enumerate(program.globals)
        for part in each.parts
        if isinstance(part.address, Address)
        and program.named(program.unit_of_global[number], part.address.name) in targets
    }
