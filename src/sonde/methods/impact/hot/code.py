"""Hot code: where it lies in a program, and what it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

from sonde.core.code import SourceLine
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.hot.targets import HotDecision, find_targets
from sonde.methods.impact.program.linking import Program


@dataclass(frozen=True)
class Hotness:
    """Hot code as it is named: a routine as the linker or people spell it, or lines of a file."""

    name: str
    file: str = ""
    lines: tuple[int, int] | None = None


@dataclass(frozen=True)
class HotCode:
    """Hot code of one program."""

    positions: Mapping[int, frozenset[int] | None]  # of each hot routine; None: all of it
    called: frozenset[int]  # routines that hot code calls, directly or not, and that are not hot themselves
    targets: Mapping[int, HotDecision]  # by their nodes

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

    def is_inside(place: SourceLine) -> bool:
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
    return HotCode(positions, called, find_targets(flow, positions, called))


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
