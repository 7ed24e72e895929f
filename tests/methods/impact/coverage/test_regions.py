"""Which code counts as changed, and by which lines of the base one sees that it runs."""

from __future__ import annotations

from sonde.core.code import SourceLine
from sonde.methods.impact.coverage.regions import find_regions
from sonde.methods.impact.differences.programs import find_differences
from tests.methods.impact.made_programs import made_global, made_program, made_routine

BODY = """
    n = load @rounds size 4 line {at2}
    c = compute n 7 shape icmp line {at3}
    branch c more done line {at3}
  more:
    r = compute n {factor} shape mul line {at4}
    jump done line {at4}
  done:
    v = phi n:entry r:more
    return v line {at6}
"""


def program(factor: int = 3, rounds: int = 5, shift: int = 0, more: str = ""):
    numbers = {f"at{line}": line + shift for line in (2, 3, 4, 6)}
    return made_program(
        made_global("rounds", {0: str(rounds)}, size=4),
        made_routine("main", "", BODY.format(factor=factor, **numbers) + more),
    )


def regions(old, new):
    return find_regions(find_differences(old.units, new.units))


def lines(places) -> set[int]:
    return {place.line for place in places}


def test_a_changed_constant_is_its_block_on_both_sides():
    found = regions(program(), program(factor=4, shift=10))

    assert [(each.place, each.is_old) for each in found] == [
        (SourceLine("made.c", 4), True),
        (SourceLine("made.c", 14), False),
    ]
    before, after = found
    assert lines(before.at_base.shows) == {4}
    assert [lines(guard) for guard in before.at_base.guards] == [{4}, {2, 3}]
    assert after.at_head is not None
    assert lines(after.at_head.shows) == {14}
    # In lines of the base: the product itself is another one there, but what runs with it is the same.
    assert lines(after.at_base.shows) == {4}
    assert [lines(guard) for guard in after.at_base.guards][-1] == {2, 3}


def test_code_that_reads_a_changed_table_counts_as_changed():
    found = regions(program(), program(rounds=9))

    assert {(each.routine, each.place.line) for each in found} == {("main", 2)}
    assert lines(found[0].at_base.shows) >= {2, 3, 4, 6}


def test_a_new_routine_runs_where_it_is_called():
    caller = "call @fresh line 5; return 0 line 6"
    old = made_program(made_routine("main", "", "return 0 line 6"))
    new = made_program(
        made_routine("main", "", caller),
        made_routine("fresh", "", "c = compute 1 2 line 21; return c line 22", is_internal=True),
    )

    found = [each for each in regions(old, new) if each.routine == "fresh"]

    assert found
    assert not any(each.at_base.is_known for each in found)
    assert all(lines(caller.shows) == {6} for each in found for caller in each.at_base.callers)
    assert all(each.at_head is not None and lines(each.at_head.shows) <= {21, 22} for each in found)


def test_programs_without_a_difference_have_no_regions():
    assert regions(program(), program(shift=3)) == ()
