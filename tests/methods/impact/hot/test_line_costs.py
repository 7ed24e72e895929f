"""Costs of lines, from profiles and the lines of code."""

from collections import Counter

from hypothesis import given

from sonde.core.code import NOWHERE, SourceLine
from sonde.core.code_lines import CodeLines, FunctionLines
from sonde.core.evidence import Activity, CostUnit, ExecutedInstructions, Profile
from sonde.core.evidence import ProfiledFunction as Function
from sonde.methods.impact.hot.line_costs import cost_lines
from tests.evidence_values import code_lines, profiles

MAIN = Function("xz", "", "main")
LINES = CodeLines(
    ("xz.c", "mix.h"), {MAIN: FunctionLines((0, 4, 4, 8, 20), (0, 0, 1, -1, 0), (3, 5, 2, 0, 9))}
)


def profile(*executed: tuple[int, int, int], own: int = 0, elsewhere: int = 0) -> Profile:
    """Of a run that executed nothing but `main`: offsets with their costs."""
    return Profile(
        CostUnit.INSTRUCTIONS,
        {MAIN: Activity(1, own, own + elsewhere, elsewhere)},
        0,
        {"/lib/libc.so.6": elsewhere},
        {},
        None,
        executed={MAIN: ExecutedInstructions(*zip(*executed, strict=True))} if executed else {},
    )


def test_each_instruction_counts_for_its_line_with_what_libraries_do_for_it():
    found = cost_lines(profile((0, 10, 0), (2, 10, 50), (5, 30, 0), own=50, elsewhere=50), LINES)

    assert found.lines == {SourceLine("xz.c", 3): 70, SourceLine("xz.c", 5): 0, SourceLine("mix.h", 2): 30}
    assert found.machine == {}
    assert found.total == 100


def test_code_without_a_line_stays_with_its_function():
    found = cost_lines(profile((0, 10, 0), (9, 30, 0), own=40), LINES)

    assert found.machine == {MAIN: 30}
    assert found.lineless_share == 0.75


def test_a_function_whose_instructions_are_not_known_has_no_lines():
    found = cost_lines(profile(own=40), LINES)

    assert found.lines == {}
    assert found.machine == {MAIN: 40}


@given(taken=profiles, lines=code_lines())
def test_nothing_is_lost_and_nothing_counts_twice(taken, lines):
    found = cost_lines(taken, lines)
    slow: Counter[SourceLine] = Counter()
    for function, executed in taken.executed.items():
        for number, offset in enumerate(executed.offsets):
            place = NOWHERE
            known = lines.functions.get(function, FunctionLines((), (), ()))
            for at, file, line in zip(known.offsets, known.files, known.lines, strict=True):
                if at <= offset:
                    place = SourceLine(lines.files[file], line) if file >= 0 and line else NOWHERE
            if place != NOWHERE:
                slow[place] += executed.own[number] + executed.elsewhere[number]

    assert {place: cost for place, cost in found.lines.items() if cost} == +slow
