"""Hot code: where it lies in a program, what it calls, and which values decide how much it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

from sonde.core.code import Kind, Place
from sonde.methods.impact.flow import Flow
from sonde.methods.impact.flow_edges import Step
from sonde.methods.impact.library import effect_of
from sonde.methods.impact.program import Program
from sonde.methods.impact.reach import reach_backward


@dataclass(frozen=True)
class Hotness:
    """Hot code as it is named: a routine as the linker or people spell it, or lines of a file."""

    name: str
    file: str = ""
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class Target:
    """A decision of hot code: at which instruction; -1: whether the routine is executed."""

    routine: int
    position: int


@dataclass(frozen=True)
class HotCode:
    """Hot code of one program."""

    positions: Mapping[int, frozenset[int] | None]  # of each hot routine; None: all of it
    called: frozenset[int]  # routines that hot code calls, directly or not, and that are not hot themselves
    targets: Mapping[int, Target]  # by their nodes

    def holds(self, routine: int, position: int) -> bool:
        """Whether an instruction is hot itself, or hot code calls its routine."""
        if routine in self.called:
            return True
        inside = self.positions.get(routine, frozenset[int]())
        return inside is None or position in inside

    def blocks(self, flow: Flow) -> Iterator[tuple[int, int]]:
        """The blocks of hot code and of what it calls."""
        for routine in (*self.positions, *self.called):
            code = flow.program.routines[routine]
            inside = self.positions.get(routine)
            for block, (start, end) in enumerate(code.blocks):
                if not inside or routine in self.called or not inside.isdisjoint(range(start, end)):
                    yield routine, block


def same_file(first: str, second: str) -> bool:
    """Whether two names of files may mean the same: one ends like the other."""
    a, b = PurePosixPath(first).parts, PurePosixPath(second).parts
    a, b = tuple(x for x in a if x != "."), tuple(x for x in b if x != ".")
    least = min(len(a), len(b))
    return least > 0 and a[-least:] == b[-least:]


def find_hot_positions(
    program: Program, hotness: Iterable[Hotness]
) -> tuple[dict[int, frozenset[int] | None], list[Hotness]]:
    """The hot instructions of a program, and what of the names it does not have."""
    found: dict[int, frozenset[int] | None] = {}
    missing: list[Hotness] = []
    for each in hotness:
        numbers = (
            _within_lines(program, each)
            if each.lines is not None
            else {
                number: None
                for number in program.find_routines(each.name)
                if not each.file or same_file(program.routines[number].place.file, each.file)
            }
        )
        if not numbers:
            missing.append(each)
        for number, positions in numbers.items():
            known = found.get(number, frozenset())
            found[number] = None if known is None or positions is None else known | positions
    return found, missing


def _within_lines(program: Program, hotness: Hotness) -> dict[int, frozenset[int] | None]:
    assert hotness.lines is not None
    first, last = hotness.lines
    files: dict[str, bool] = {}

    def is_inside(place: Place) -> bool:
        if not first <= place.line <= last:
            return False
        if place.file not in files:
            files[place.file] = same_file(place.file, hotness.file or hotness.name)
        return files[place.file]

    found: dict[int, frozenset[int] | None] = {}
    for number, routine in enumerate(program.routines):
        inside = frozenset(n for n, each in enumerate(routine.instructions) if is_inside(each.place))
        if inside:
            found[number] = inside
    return found


def find_hot_code(flow: Flow, positions: Mapping[int, frozenset[int] | None]) -> HotCode:
    """Hot code of a program with what it calls and its targets."""
    called = _called_from(flow, positions)
    targets: dict[int, Target] = {}
    for routine, inside in positions.items():
        targets.update(_decisions(flow, routine, inside))
        if inside is None:
            targets[flow.executed(routine, 0)] = Target(routine, -1)
    targets.update(_passed_on(flow, positions, called, targets))
    return HotCode(positions, called, targets)


def _called_from(flow: Flow, positions: Mapping[int, frozenset[int] | None]) -> frozenset[int]:
    """Routines that hot code calls, but not from where it only fails."""
    seen: set[int] = set()
    waiting: list[tuple[int, Set[int] | None]] = list(positions.items())
    while waiting:
        routine, inside = waiting.pop()
        dead = flow.dead_ends[routine]
        for call in flow.calls[routine]:
            if call.block in dead or (inside is not None and call.position not in inside):
                continue
            for callee in (*call.callees, *call.called_back):
                if callee not in seen and positions.get(callee, frozenset()) is not None:
                    seen.add(callee)
                    waiting.append((callee, None))
    return frozenset(seen)


def _decisions(
    flow: Flow, routine: int, inside: Set[int] | None, seen: set[int] | None = None
) -> dict[int, Target]:
    """What the cost of a routine's own instructions depends on; memory in the sets `seen` is left out."""
    seen = set() if seen is None else seen
    code = flow.program.routines[routine]
    dead = flow.dead_ends[routine]
    found: dict[int, Target] = {}
    for position, each in enumerate(code.instructions):
        if each.block in dead or (inside is not None and position not in inside):
            continue
        if each.kind in (Kind.BRANCH, Kind.SWITCH):
            if len({target for target in each.targets if target not in dead}) > 1:
                found[flow.value(routine, code.parameters + position)] = Target(routine, position)
        elif each.kind is Kind.CALL and each.operands and each.operands[0] >= 0:
            found[flow.value(routine, each.operands[0])] = Target(routine, position)
    for call in flow.calls[routine]:
        if call.block in dead or (inside is not None and call.position not in inside):
            continue
        for node in _cost_nodes(flow, routine, call.position, call.externals, seen):
            found.setdefault(node, Target(routine, call.position))
    return found


def _cost_nodes(
    flow: Flow, routine: int, position: int, externals: Sequence[str], seen: set[int]
) -> Iterable[int]:
    """What the duration of library functions depends on; each set of cells is told once."""
    arguments = flow.program.routines[routine].instructions[position].operands[1:]
    for name in externals:
        for slot in effect_of(name).cost:
            for number in slot.arguments(len(arguments)):
                operand = arguments[number]
                if slot.depth == 0:
                    if operand >= 0:
                        yield flow.value(routine, operand)
                elif slot.depth == 1:
                    memory = flow.memory
                    if operand >= 0:
                        cells = memory.set_of_value[memory.first_value[routine] + operand]
                        if cells in seen:
                            continue
                        seen.add(cells)
                    for cell in flow.memory.pointees(routine, operand):
                        yield flow.cell(cell)


def _passed_on(
    flow: Flow,
    positions: Mapping[int, frozenset[int] | None],
    called: Set[int],
    known: Mapping[int, Target],
) -> dict[int, Target]:
    """What hot code passes to routines that it calls, or these find in memory, if they decide by it."""
    seen: set[int] = set()
    inside = dict.fromkeys(node for routine in called for node in _decisions(flow, routine, None, seen))
    if not inside:
        return {}
    reach = reach_backward(flow, [*inside, *known], 0)
    found: dict[int, Target] = {}
    for routine in (*positions, *called):
        hot = positions.get(routine, frozenset())
        code = flow.program.routines[routine]
        dead = flow.dead_ends[routine]
        for call in flow.calls[routine]:
            if call.block in dead or (hot and call.position not in hot):
                continue
            arguments = code.instructions[call.position].operands[1:]
            for callee in call.callees:
                if callee not in called:
                    continue
                for number, operand in enumerate(arguments[: flow.program.routines[callee].parameters]):
                    if (
                        operand >= 0
                        and routine not in called
                        and reach.hops(flow.value(callee, number)) is not None
                    ):
                        found.setdefault(flow.value(routine, operand), Target(routine, call.position))
        if routine not in called:
            continue
        for position, each in enumerate(code.instructions):
            if each.kind is not Kind.LOAD or each.block in dead:
                continue
            node = flow.value(routine, code.parameters + position)
            if reach.hops(node) is None:
                continue
            for before, step, _ in flow.predecessors(node):
                if step is Step.MEMORY:
                    found.setdefault(before, Target(routine, position))
    return found
