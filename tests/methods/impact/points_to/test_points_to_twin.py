"""The fast solvers beside the plain rules, on random programs."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.code import Address, Constant, Kind
from sonde.methods.impact.points_to import constraints, inclusion
from sonde.methods.impact.points_to.block_copies import BlockCopies
from sonde.methods.impact.points_to.gathering import gather
from sonde.methods.impact.points_to.inclusion import Inclusion
from sonde.methods.impact.points_to.solving import memory_of
from sonde.methods.impact.points_to.unification import Unification
from sonde.methods.impact.program.linking import External, GlobalRef, Program, RoutineRef, link
from sonde.methods.impact.program.memory import Memory, ObjectKind
from tests.methods.impact.made_programs import made_global, made_routine, made_unit

SIZE = 24
OFFSETS = (0, 8, 16)
ROUTINES = ("f", "g", "h")
GLOBALS = ("one", "two")

Thing = tuple[str | int, ...]
Place = tuple[Thing, int]  # an object and an offset
Pointer = tuple[Place, tuple[int, int]]  # to a place, with where a walk from there may go
EVERYTHING = (0, 1 << 62)


@st.composite
def routine_texts(draw, walks: tuple[str, ...] = ()) -> str:
    """The text of a routine `(a b)`: two blocks, the second one a loop; some of its fields may be `walks`."""
    first, second = draw(st.integers(1, 7)), draw(st.integers(0, 6))
    early = ["a", "b", *(f"v{n}" for n in range(first))]
    every = [*early, *(f"v{n}" for n in range(first, first + second))]
    addresses = [f"@{each}" for each in (*ROUTINES, *GLOBALS)] + ["@one+8"]

    def instruction(number: int) -> str:
        values = [*early[: number + 2], *addresses] if number < first else [*every[: number + 2], *addresses]
        of = st.sampled_from(values)
        kinds = ["local", "load", "store", "field", "call", "malloc", "memcpy", "through"]
        kind = draw(st.sampled_from([*kinds, "walk", "walk"] if walks else kinds))
        one, other = draw(of), draw(of)
        match kind:
            case "local":
                return f"v{number} = local size {SIZE}"
            case "load":
                return f"v{number} = load {one}"
            case "store":
                return f"v{number} = store {one} {other}"
            case "field":
                return f"v{number} = field {one} {draw(st.sampled_from((8, 16, -8)))}"
            case "walk":
                return f"v{number} = field {one} {draw(st.sampled_from(walks))}"
            case "call":
                return f"v{number} = call {draw(st.sampled_from(ROUTINES))} {one} {other}"
            case "malloc":
                return f"v{number} = call malloc {SIZE}"
            case "memcpy":
                return f"v{number} = call memcpy {one} {other} {draw(st.sampled_from((8, 16, 24)))}"
            case _:
                pointer = draw(st.sampled_from(every[: number + 2]))
                return f"v{number} = call {pointer} {one} {other}"

    lines = [instruction(number) for number in range(first)]
    lines += ["jump loop", "loop:"]
    lines += [f"m = phi {draw(st.sampled_from(early))}:entry {draw(st.sampled_from([*every, 'm']))}:loop"]
    lines += [instruction(number) for number in range(first, first + second)]
    lines += [f"n = compute {draw(st.sampled_from(every))} m", "branch n loop out", "out:"]
    lines += [f"return {draw(st.sampled_from([*every, 'm', 'n']))}"]
    return "\n".join(lines)


PARTS = st.dictionaries(st.sampled_from(OFFSETS), st.sampled_from(["@f", "@g", "@one", "@two+8"]), max_size=2)
SOURCES = st.tuples(
    st.tuples(*(PARTS for _ in GLOBALS)), st.tuples(*(routine_texts() for _ in ROUTINES))
)  # what globals start with, and the texts of routines


WALKS = ("0 stride 1", "0 stride 8", "0 stride 16", "0 stride 24", "8 length 16 stride 8", "0 length 16")
WALKING_SOURCES = st.tuples(
    st.tuples(*(PARTS for _ in GLOBALS)), st.tuples(*(routine_texts(WALKS) for _ in ROUTINES))
)


def program_of(source: tuple[tuple[dict[int, str], ...], tuple[str, ...]]) -> Program:
    parts, texts = source
    return link(
        [
            made_unit(
                *(made_global(name, each, size=SIZE) for name, each in zip(GLOBALS, parts, strict=True)),
                *(made_routine(name, "a b", text) for name, text in zip(ROUTINES, texts, strict=True)),
                made_routine("main", "", "x = call f @one @g"),
            )
        ]
    )


class SlowTwin:
    """The rules of Andersen's analysis with fields, applied to all instructions until nothing changes.

    Every element of an array is by itself: who walks comes to each place that the view of the pointer allows.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values: dict[tuple[int, int], set[Pointer]] = {}
        self.contents: dict[Place, set[Pointer]] = {}
        self.returned: dict[int, set[Pointer]] = {}
        self.callees: dict[tuple[int, int], set[int]] = {}
        for number, each in enumerate(program.globals):
            for part in each.parts:
                if part.address is not None:
                    place = self.named(program.unit_of_global[number], part.address)
                    assert place is not None
                    self.contents.setdefault((("global", number), part.offset), set()).add(place)
        before = None
        while before != self.count():
            before = self.count()
            for number, position, instruction in program.instructions():
                self.step(number, position, instruction)

    def count(self) -> int:
        return sum(map(len, (*self.values.values(), *self.contents.values(), *self.returned.values())))

    def places(self, number: int, value: int) -> set[Place]:
        return {place for place, _ in self.values.get((number, value), ())}

    def named(self, unit: int, address: Address) -> Pointer | None:
        match self.program.named(unit, address.name):
            case RoutineRef(id):
                return ((("routine", id), address.offset), EVERYTHING)
            case GlobalRef(id):
                return ((("global", id), address.offset), EVERYTHING)
            case _:
                return None

    def of(self, number: int, operand: int) -> set[Pointer]:
        if operand >= 0:
            return self.values.get((number, operand), set())
        outside = self.program.routines[number].outside[~operand]
        pointer = self.named(0, outside) if isinstance(outside, Address) else None
        return set() if pointer is None else {pointer}

    def moved(self, place: Place, offset: int) -> set[Place]:
        object, at = place
        limit = 8 if object[0] == "routine" else SIZE
        return {(object, at + offset)} if 0 <= at + offset <= limit else set()

    def led(self, pointer: Pointer, each) -> set[Pointer]:
        (object, at), (start, end) = pointer
        begins = {at}
        for begin, length, stride in each.steps:
            if length:
                start, end = at + begin, at + begin + length
            elif not start <= at + begin < end:
                start, end = EVERYTHING
            if stride and object[0] != "routine":
                last = min(end, SIZE)
                begins = {n - begin for n in range(start, last, 8) if not (n - at - begin) % stride}
        found = set()
        for each_begin in begins:
            there = each_begin + each.offset
            view = (start, end) if start <= there <= end else EVERYTHING
            found |= {(place, view) for place in self.moved((object, each_begin), each.offset)}
        return found

    def step(self, number: int, position: int, each) -> None:
        routine = self.program.routines[number]
        value = self.values.setdefault((number, routine.parameters + position), set())
        match each.kind:
            case Kind.LOCAL:
                value.add(((("local", number, position), 0), EVERYTHING))
            case Kind.LOAD:
                for place, _ in set(self.of(number, each.operands[0])):
                    value |= self.contents.get(place, set())
            case Kind.STORE:
                for place, _ in self.of(number, each.operands[0]):
                    self.contents.setdefault(place, set()).update(self.of(number, each.operands[1]))
            case Kind.FIELD:
                for pointer in set(self.of(number, each.operands[0])):
                    value |= self.led(pointer, each)
            case Kind.PHI | Kind.COMPUTE:
                for operand in each.operands:
                    value |= self.of(number, operand)
            case Kind.RETURN if each.operands:
                self.returned.setdefault(number, set()).update(self.of(number, each.operands[0]))
            case Kind.CALL:
                self.call(number, position, each, value)
            case _:
                pass

    def call(self, number: int, position: int, each, value: set[Pointer]) -> None:
        match self.program.meaning(number, each.operands[0]):
            case External("malloc"):
                value.add(((("heap", number, position), 0), EVERYTHING))
            case External("memcpy"):
                value |= self.of(number, each.operands[1])
                length = self.program.routines[number].outside[~each.operands[3]]
                assert isinstance(length, Constant)
                self.copy(number, each, int(length.text))
            case _:
                pass
        for ((kind, *rest), _), _ in set(self.of(number, each.operands[0])):
            if kind == "routine":
                self.enter(number, position, each, int(rest[0]), value)

    def enter(self, number: int, position: int, each, callee: int, value: set[Pointer]) -> None:
        self.callees.setdefault((number, position), set()).add(callee)
        for parameter in range(self.program.routines[callee].parameters):
            given = self.of(number, each.operands[1 + parameter])
            self.values.setdefault((callee, parameter), set()).update(given)
        value |= self.returned.get(callee, set())

    def copy(self, number: int, each, length: int) -> None:
        if each.operands[1] == each.operands[2]:
            return  # one pointer points to one place at a time
        for to, _ in self.of(number, each.operands[1]):
            for (object, offset), _ in self.of(number, each.operands[2]):
                for distance in range(0, length, 8):
                    held = set(self.contents.get((object, offset + distance), ()))
                    for place in self.moved(to, distance) if held else ():
                        self.contents.setdefault(place, set()).update(held)


def place_of(memory: Memory, cell: int) -> Place:
    object, offset = memory.cells[cell]
    kind, routine, position, _ = memory.objects[object]
    match kind:
        case ObjectKind.LOCAL | ObjectKind.HEAP:
            return ((kind.value, routine, position), offset)
        case _:
            return ((kind.value, position), offset)


def fast(program: Program) -> Memory:
    made, calls = gather(program, {})
    solver = Inclusion(made, calls, lambda: False)
    assert solver.solve()
    return memory_of(made, solver, "", "")


@settings(max_examples=150, deadline=None)
@given(source=SOURCES)
def test_the_fast_solver_finds_what_the_plain_rules_find(source):
    program = program_of(source)
    memory, twin = fast(program), SlowTwin(program)

    for number, routine in enumerate(program.routines):
        for value in range(routine.parameters + len(routine.instructions)):
            found = {place_of(memory, cell) for cell in memory.pointees(number, value)}
            assert found == twin.places(number, value), (routine.name, value)
    for cell in range(len(memory.cells)):
        if memory.objects[memory.cells[cell].object].kind is not ObjectKind.EXTERNAL:
            found = {place_of(memory, other) for other in memory.pointees_in(cell)}
            held = twin.contents.get(place_of(memory, cell), set())
            assert found == {place for place, _ in held}
    for number, position, each in program.instructions():
        if each.kind is Kind.CALL:
            assert set(memory.callees(number, position)) == twin.callees.get((number, position), set())


@settings(max_examples=300, deadline=None)
@given(source=WALKING_SOURCES)
def test_who_walks_comes_to_every_cell_that_lies_there(source):
    program = program_of(source)
    memory, twin = fast(program), SlowTwin(program)
    every = {place_of(memory, cell) for cell in memory.cell_numbers.values()}

    for number, routine in enumerate(program.routines):
        for value in range(routine.parameters + len(routine.instructions)):
            found = {place_of(memory, cell) for cell in memory.pointees(number, value)}
            objects = {object for object, _ in found}
            for place in twin.places(number, value):
                # What has no cell of its own is an element of an array that nobody uses by itself.
                assert place in found or (place not in every and place[0] in objects), (routine.name, value)
    for number, position, each in program.instructions():
        if each.kind is Kind.CALL:
            assert set(memory.callees(number, position)) >= twin.callees.get((number, position), set())


@settings(max_examples=100, deadline=None)
@given(source=st.one_of(SOURCES, WALKING_SOURCES))
def test_unification_finds_all_objects_that_inclusion_finds(source):
    program = program_of(source)
    precise = fast(program)
    made, calls = gather(program, {}, has_fields=False)
    solver = Unification(made, calls)
    solver.solve()
    cheap = memory_of(made, solver, "", "")

    def objects(memory: Memory, number: int, value: int) -> set[Thing]:
        return {place_of(memory, cell)[0] for cell in memory.pointees(number, value)}

    for number, routine in enumerate(program.routines):
        for value in range(routine.parameters + len(routine.instructions)):
            assert objects(precise, number, value) <= objects(cheap, number, value)
    for number, position, each in program.instructions():
        if each.kind is Kind.CALL:
            assert set(precise.callees(number, position)) <= set(cheap.callees(number, position))


def without_sizes(text: str) -> str:
    """The text with memory of unknown size, and copies of unknown length."""
    return re.sub(r"(memcpy \S+ \S+) \d+", r"\1 a", re.sub(r"malloc \d+", "malloc a", text))


@settings(max_examples=60, deadline=None)
@given(source=SOURCES)
def test_what_is_filled_step_by_step_is_folded_at_once_and_nothing_else_is(source):
    parts, texts = source
    program = program_of((parts, tuple(map(without_sizes, texts))))
    with patch.object(constraints, "MOST_CELLS_OF_UNKNOWN", 24):  # enough for what does not step on
        with patch.object(inclusion, "_FIRST_LOOK", 1):
            early = fast(program)
        with patch.object(inclusion, "_FIRST_LOOK", 0), patch.object(BlockCopies, "_fold_moved"):
            late = fast(program)

    for number, routine in enumerate(program.routines):
        for value in range(routine.parameters + len(routine.instructions)):
            found, expected = (
                {place_of(memory, cell) for cell in memory.pointees(number, value)}
                for memory in (early, late)
            )
            assert found == expected, (routine.name, value)
    assert early.called == late.called


@settings(max_examples=30, deadline=None)
@given(source=WALKING_SOURCES)
def test_the_same_program_gives_the_same_answer_again(source):
    program = program_of(source)
    first, second = fast(program), fast(program)

    assert first.cells == second.cells
    assert first.called == second.called
    assert first.copies == second.copies
