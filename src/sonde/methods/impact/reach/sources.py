"""Where the effects of a change begin in the flow graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from sonde.core.code import Kind
from sonde.methods.impact.differences.programs import Differences
from sonde.methods.impact.differences.routines import VersionSide
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.flow.first_values import FirstValues, Replacing
from sonde.methods.impact.library.models import effect_of
from sonde.methods.impact.program.cloning import copies_of


@dataclass(frozen=True)
class ChangeSources:
    """The changed code of one of the two programs."""

    nodes: Mapping[int, tuple[int, int]]  # where effects begin, with routine and position; -1, id: a global
    positions: Mapping[int, frozenset[int]]  # changed instructions of each routine
    entered: frozenset[tuple[int, int]]  # calls that the other program does not have

    @property
    def is_early(self) -> bool:
        """Whether something is there before anything is executed: the first value of a global."""
        return any(routine < 0 for routine, _ in self.nodes.values())


def find_sources(
    flow: Flow,
    differences: Differences,
    is_old: bool,
    live: Mapping[int, Set[int]],
    replacing: Replacing = lambda _: (),
) -> ChangeSources:
    """What differs, in the old or the new program; `live` are the blocks that can be executed at all.

    `replacing` gives further places at which a cell is surely overwritten, see `FirstValues`.
    """
    nodes: dict[int, tuple[int, int]] = {}
    positions: dict[int, frozenset[int]] = {}
    entered: set[tuple[int, int]] = set()
    copies = copies_of(flow.program)
    changed = [
        (routine, each.old_side if is_old else each.new_side)
        for each in differences.routines
        if (original := each.old if is_old else each.new) is not None
        for routine in copies[original]
    ]
    for routine, side in changed:
        if not side or routine not in live:
            continue
        alive = live[routine] - flow.dead_ends[routine]
        code = flow.program.routines[routine]
        inside = frozenset(n for n in side.changed | side.decisions if code.instructions[n].block in alive)
        inside |= {code.blocks[block][0] for block in side.blocks if block in alive}
        if inside:
            positions[routine] = inside
        for node, position in _nodes(flow, routine, side, alive):
            nodes.setdefault(node, (routine, position))
        entered |= {(routine, n) for n in side.entered if n in inside}
    first_values = FirstValues(flow, replacing)
    for other in differences.globals:
        number = other.old if is_old else other.new
        offsets = other.old_offsets if is_old else other.new_offsets
        if number is not None:
            for cell in _cells(flow, number, offsets):
                for node in first_values.seen_by(cell):
                    nodes.setdefault(node, (-1, number))
    return ChangeSources(nodes, positions, frozenset(entered))


def _nodes(flow: Flow, routine: int, side: VersionSide, alive: Set[int]) -> Iterator[tuple[int, int]]:
    code = flow.program.routines[routine]
    calls = {call.position: call for call in flow.calls[routine]}
    for position in sorted(side.changed):
        each = code.instructions[position]
        if each.block not in alive:
            continue
        node = flow.value(routine, code.parameters + position)
        if each.kind is not Kind.CALL:
            yield node, position
            continue
        call = calls[position]
        is_new = position in side.entered
        fixed = [n for n, operand in enumerate(each.operands[1:]) if operand < 0]
        if is_new or any(_changes_result(name, fixed, len(each.operands) - 1) for name in call.externals):
            yield node, position
        for number in fixed:
            argument = flow.argument(routine, position, number)
            if argument is not None:
                yield argument, position
        entrance = flow.entrance(routine, position)
        if is_new and entrance is not None:
            yield entrance, position
    deciding = {code.instructions[n].block: n for n in side.decisions if code.instructions[n].block in alive}
    for position in deciding.values():
        yield flow.value(routine, code.parameters + position), position
    for block, deciders in enumerate(flow.deciders[routine]):
        for each_block in deciders:
            if each_block in deciding:
                yield flow.block(routine, block), deciding[each_block]
                yield flow.executed(routine, block), deciding[each_block]
    for block in side.blocks:
        if block in alive:
            yield flow.block(routine, block), code.blocks[block][0]
            yield flow.executed(routine, block), code.blocks[block][0]


def _changes_result(name: str, arguments: Iterable[int], count: int) -> bool:
    """Whether what a library function gives back or writes depends on these arguments."""
    wanted = set(arguments)
    return any(
        wanted.intersection(transfer.source.arguments(count)) for transfer in effect_of(name).transfers
    )


def _cells(flow: Flow, number: int, offsets: Iterable[int]) -> Iterator[int]:
    memory = flow.memory
    object = memory.object_of_global(number)
    cells = memory.cells_of(object)
    for offset in offsets:
        below = [cell for cell in cells if memory.cells[cell].offset <= offset]
        if below:
            yield below[-1]
        if object in memory.blurred:  # elements of an array may lie in any cell behind its first one
            yield from (cell for cell in cells if memory.cells[cell].offset > offset)
