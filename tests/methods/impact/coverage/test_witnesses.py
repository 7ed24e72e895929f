"""By which lines one sees that a block was executed, beside random runs through random routines."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.code import Instruction, Kind, Routine, SourceLine, Unit
from sonde.core.findings.impacts import ChangedRegion, Witnesses
from sonde.methods.impact.coverage.executed import Execution, executed
from sonde.methods.impact.coverage.seen import Seen
from sonde.methods.impact.coverage.witnesses import Observing
from sonde.methods.impact.program.control_dependence import dominators
from sonde.methods.impact.program.linking import Program, link
from tests.methods.impact.made_programs import made_program, made_routine

LINES = 8


def place(line: int) -> SourceLine:
    return SourceLine("made.c", line)


@dataclass(frozen=True)
class Run:
    """A way through a routine of which each block has lines, and which of them optimised code still shows."""

    lines: tuple[frozenset[int], ...]
    after: tuple[tuple[int, ...], ...]
    blocks: tuple[int, ...]  # executed
    compiled: frozenset[int]

    @property
    def seen(self) -> Seen:
        """What a profile of the run shows."""
        shown = frozenset(line for block in self.blocks for line in self.lines[block]) & self.compiled
        return Seen(frozenset(map(place, shown)), frozenset(map(place, self.compiled)))

    @property
    def program(self) -> Program:
        """The routine."""
        code: list[Instruction] = []
        blocks = []
        for number, (lines, after) in enumerate(zip(self.lines, self.after, strict=True)):
            start = len(code)
            code += [Instruction(Kind.COMPUTE, (), "add", number, place(line)) for line in sorted(lines)]
            kinds = {0: Kind.RETURN, 1: Kind.JUMP}
            code.append(Instruction(kinds.get(len(after), Kind.BRANCH), (), "", number, targets=after))
            blocks.append((start, len(code)))
        routine = Routine("main", False, 0, False, tuple(code), tuple(blocks), (), place=place(1))
        return link([Unit("made.c", (routine,), ())])


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Any routine, and a way through it that ends."""
    count = draw(st.integers(1, 7))
    places = st.frozensets(st.integers(1, LINES), max_size=3)
    targets = st.lists(st.integers(0, count - 1), max_size=2, unique=True).map(tuple)
    after = [draw(targets) for _ in range(count)]
    path, block = [0], 0
    for _ in range(12):
        if not after[block]:
            break
        block = draw(st.sampled_from(after[block]))
        path.append(block)
    after[block] = ()  # the way ends where it is
    return Run(
        tuple(draw(places) for _ in range(count)),
        tuple(after),
        tuple(path),
        draw(st.frozensets(st.integers(1, LINES))),
    )


def execution(run: Run, block: int) -> Execution:
    program = run.program
    observing = Observing(program, lambda _, position: program.routines[0].instructions[position].place)
    witnesses = observing.witnesses(0, block)
    return executed(ChangedRegion("main", place(1), True, witnesses), witnesses, run.seen)


@given(run=runs(), data=st.data())
def test_what_was_executed_is_never_denied_and_what_was_not_never_claimed(run, data):
    block = data.draw(st.integers(0, len(run.lines) - 1))
    ended = run.blocks.index(block) if block in run.blocks else -1
    found = execution(run, block)

    if ended >= 0:
        assert found is not Execution.NO
    elif not run.after[run.blocks[-1]]:
        assert found is not Execution.YES


@given(run=runs())
def test_dominators_are_what_every_way_passes(run):
    def reached(without: int) -> set[int]:
        seen, waiting = set(), [] if without == 0 else [0]
        while waiting:
            block = waiting.pop()
            if block not in seen:
                seen.add(block)
                waiting += [each for each in run.after[block] if each != without]
        return seen

    everything, parents = reached(-1), dominators(run.after)
    for block in range(len(run.after)):
        before = {other for other in everything if other != block and block not in reached(other)}
        if block not in everything:
            assert parents[block] == -1
            continue
        chain, up = set(), parents[block]
        while up >= 0:
            chain.add(up)
            up = parents[up]
        assert chain == before


PROGRAM = made_program(
    made_routine(
        "main",
        "argc",
        """
            c = compute argc 1 shape icmp line 2
            branch c yes no line 2
          yes:
            call @small argc line 3
            jump no line 3
          no:
            return argc line 5
        """,
    ),
    made_routine("small", "n", "m = compute n 3 line 11; return m line 11", is_internal=True),
)


def small_is_executed(lines: set[int], compiled: set[int]) -> Execution:
    number = next(PROGRAM.find_routines("small"))
    observing = Observing(PROGRAM, lambda r, position: PROGRAM.routines[r].instructions[position].place)
    witnesses = observing.witnesses(number, 0)
    seen = Seen(frozenset(map(place, lines)), frozenset(map(place, compiled)))
    return executed(ChangedRegion("small", place(11), True, witnesses), witnesses, seen)


def test_a_routine_without_code_of_its_own_is_executed_where_its_callers_are():
    assert small_is_executed({2, 5, 11}, {2, 5, 11}) is Execution.YES
    assert small_is_executed({2, 5}, {2, 5, 11}) is Execution.NO
    assert small_is_executed({2, 3, 5}, {2, 3, 5}) is Execution.POSSIBLE
    assert small_is_executed({2, 5}, {2, 3, 5}) is Execution.NO
    assert small_is_executed({2, 5}, {2, 5}) is Execution.POSSIBLE  # its call has no line of its own either


def test_python_is_seen_by_its_functions():
    seen = Seen(frozenset(), frozenset(), functions=frozenset({("Packer.run", "pack.py")}))
    run, idle = (
        ChangedRegion(name, SourceLine("pack.py", 3), True, Witnesses()) for name in ("Packer.run", "f")
    )

    assert executed(run, run.at_base, seen) is Execution.POSSIBLE
    assert executed(idle, idle.at_base, seen) is Execution.NO


def test_an_incomplete_profile_denies_nothing():
    seen = Seen(frozenset(), frozenset({place(1)}), is_complete=False)
    witnesses = Witnesses(frozenset({place(1)}))

    assert executed(ChangedRegion("f", place(1), True, witnesses), witnesses, seen) is Execution.POSSIBLE
