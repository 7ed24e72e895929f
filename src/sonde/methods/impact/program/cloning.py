"""A copy of each small routine for each further call, so that what one caller hands over stays apart.

Points-to knows no callers: where `put(buffer, byte)` is called for several buffers, a store may go to any
of them. In a copy that only one call enters it goes to that call's buffer. This is what inlining does; copies
keep their instructions, so that positions and places mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from sonde.core.code import Address, Instruction, Kind, Routine
from sonde.methods.impact.program.linking import Named, Program, RoutineRef
from sonde.methods.impact.program.mentions import mentions_in, standing_in_globals
from sonde.methods.impact.program.unused import roots_of

MOST_GROWTH = 1.5  # times the instructions of the program
LEAST_ROOM = 8_000  # instructions that a small program may always grow to
MOST_INSTRUCTIONS = 150_000  # of a program whose routines are copied at all
SIZES = (400, 250, 150, 100, 60, 40, 25, 12)  # instructions of a routine with the copies that it calls
LOAD, STORE, FIELD, CALL = Kind.LOAD, Kind.STORE, Kind.FIELD, Kind.CALL


def clone_small_routines(program: Program) -> Program:
    """The program with copies; `origin` tells which routine each one is a copy of.

    The largest size of routines is copied with which the program does not grow too much.
    """
    size = sum(len(routine.instructions) for routine in program.routines)
    if not 0 < size <= MOST_INSTRUCTIONS:
        return program
    calls = [dict(_direct_calls(program, number)) for number in range(len(program.routines))]
    weights = _Weights(program, calls)
    wanted = frozenset(number for number, routine in enumerate(program.routines) if _takes_pointers(routine))
    for most in SIZES:
        chosen = weights.within(wanted, most)
        if chosen and weights.grown(chosen) <= max(MOST_GROWTH * size, LEAST_ROOM):
            return _Copying(program, calls, chosen).run()
    return program


def _direct_calls(program: Program, number: int) -> Iterator[tuple[int, int]]:
    """The position of each direct call, and the routine that it enters."""
    routine = program.routines[number]
    for position in routine.calls:
        called = program.meaning(number, routine.instructions[position].operands[0])
        if isinstance(called, RoutineRef):
            yield position, called.id


def _known_otherwise(program: Program) -> Set[int]:
    """The routines that may be entered by other than direct calls."""
    found = {*roots_of(program), *standing_in_globals(program)}
    for number in range(len(program.routines)):
        found.update(routine for _, routine in mentions_in(program, number))
    return found


def _takes_pointers(routine: Routine) -> bool:
    """Whether it reads or writes what a parameter points to, or hands a parameter on."""
    if routine.is_variadic or not routine.parameters:
        return False
    holds = set(range(routine.parameters))  # values that come from parameters
    kept: set[int] = set()  # variables that hold such values
    first = routine.parameters
    for position, each in enumerate(routine.instructions):
        if each.kind is STORE:
            address, value = each.operands[:2]
            if value in holds:
                kept.add(address)
            if address in holds:
                return True
        elif each.kind is LOAD:
            if each.operands[0] in holds:
                return True
            if each.operands[0] in kept:
                holds.add(first + position)
        elif each.kind is FIELD:
            if each.operands[0] in holds:
                holds.add(first + position)
        elif each.kind is CALL and any(operand in holds for operand in each.operands[1:]):
            return True
    return False


@dataclass(frozen=True)
class _Weights:
    """How large routines are with the copies that they call."""

    program: Program
    calls: list[dict[int, int]]

    def within(self, wanted: frozenset[int], most: int) -> frozenset[int]:
        """The wanted routines of at most such a size; none that calls itself, directly or not."""
        known: dict[int, float] = {}
        for start in wanted:
            self._weigh(start, wanted, most, known)
        return frozenset(number for number in wanted if known[number] <= most)

    def _weigh(self, start: int, wanted: frozenset[int], most: int, known: dict[int, float]) -> None:
        """Fill `known` from the called to the calling; what is under way meanwhile calls itself."""
        waiting = [(start, False)]
        under_way: set[int] = set()
        while waiting:
            number, is_ready = waiting.pop()
            if is_ready:
                under_way.discard(number)
                own = len(self.program.routines[number].instructions)
                inner = [known.get(called, float("inf")) for called in self._copied(number, wanted)]
                known[number] = own + sum(each for each in inner if each <= most)
                if number in self._copied(number, wanted) or any(each == float("inf") for each in inner):
                    known[number] = float("inf")
            elif number not in known and number not in under_way:
                under_way.add(number)
                waiting.append((number, True))
                waiting += [(called, False) for called in self._copied(number, wanted)]

    def _copied(self, number: int, wanted: frozenset[int]) -> list[int]:
        return [called for called in self.calls[number].values() if called in wanted]

    def grown(self, chosen: frozenset[int]) -> float:
        """The instructions of the program with all copies."""
        expanded: dict[int, int] = {}

        def expand(number: int) -> int:
            if number not in expanded:
                own = len(self.program.routines[number].instructions)
                inner = [called for called in self.calls[number].values() if called in chosen]
                expanded[number] = own + sum(map(expand, inner))
            return expanded[number]

        return sum(expand(number) for number in range(len(self.program.routines)) if number not in chosen)


class _Copying:
    def __init__(self, program: Program, calls: list[dict[int, int]], chosen: frozenset[int]) -> None:
        self._program = program
        self._calls = calls
        self._chosen = chosen
        self._routines = list(program.routines)
        self._homes = list(program.unit_of_routine)
        self._origin = list(range(len(program.routines)))
        self._names: dict[str, Named] = {}
        self._free = set(chosen - _known_otherwise(program))  # the first call may have it, instead of a copy

    def run(self) -> Program:
        for number in range(len(self._program.routines)):
            if number not in self._chosen:
                self._routines[number] = self._redirected(number)
        return replace(
            self._program,
            routines=tuple(self._routines),
            unit_of_routine=tuple(self._homes),
            shared={**self._program.shared, **self._names},
            origin=tuple(self._origin),
        )

    def _redirected(self, number: int) -> Routine:
        """The routine with a copy of its own behind each call of a routine that is copied."""
        routine = self._program.routines[number]
        copied = {at: called for at, called in self._calls[number].items() if called in self._chosen}
        if not copied:
            return routine
        outside, instructions = list(routine.outside), list(routine.instructions)
        for position, called in copied.items():
            if called in self._free:
                self._free.remove(called)
                self._routines[called] = self._redirected(called)
                continue
            instructions[position] = _calling(instructions[position], ~len(outside))
            outside.append(Address(self._copy(called)))
        return replace(routine, instructions=tuple(instructions), outside=tuple(outside))

    def _copy(self, number: int) -> str:
        """The name of a new copy."""
        place = len(self._routines)
        name = f"{self._program.routines[number].name}#{place}"
        self._routines.append(self._program.routines[number])  # keeps the place while others are added
        self._homes.append(self._program.unit_of_routine[number])
        self._origin.append(number)
        self._names[name] = RoutineRef(place)
        self._routines[place] = self._redirected(number)
        return name


def _calling(call: Instruction, callee: int) -> Instruction:
    return call._replace(operands=(callee, *call.operands[1:]))


def copies_of(program: Program) -> Mapping[int, tuple[int, ...]]:
    """The routine of each number that an uncopied program has, with all of its copies."""
    found: dict[int, list[int]] = {}
    for number, origin in enumerate(program.origin or range(len(program.routines))):
        found.setdefault(origin, []).append(number)
    return {origin: tuple(numbers) for origin, numbers in found.items()}
