from __future__ import annotations

from dataclasses import replace

from sonde.core.code import Unit
from sonde.methods.impact.program.linking import External, RoutineRef, link
from tests.methods.impact.made_programs import made_routine

WEAK = replace(made_routine("hook", "", "return 3"), is_weak=True)
STRONG = made_routine("hook", "", "return 5")
OWN = made_routine("hook", "", "return 7", is_internal=True)


def unit(*routines):
    return Unit("a.c", routines, ())


def test_a_strong_definition_counts_before_a_weak_one():
    for units in ([unit(WEAK), unit(STRONG)], [unit(STRONG), unit(WEAK)]):
        program = link(units)
        found = program.named(0, "hook")

        assert isinstance(found, RoutineRef)
        assert program.routines[found.id] is STRONG


def test_the_first_of_two_equals_counts():
    program = link([unit(WEAK), unit(WEAK)])

    assert len(program.routines) == 1


def test_a_name_of_its_own_counts_in_a_unit():
    program = link([unit(OWN), unit(STRONG)])

    first, second = program.named(0, "hook"), program.named(1, "hook")
    assert isinstance(first, RoutineRef)
    assert isinstance(second, RoutineRef)
    assert program.routines[first.id] is OWN
    assert program.routines[second.id] is STRONG
    assert program.named(0, "printf") == External("printf")
