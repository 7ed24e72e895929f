"""Which routines calls through pointers may mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.code import Routine
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.points_to.fitting import fits
from tests.methods.impact.made_programs import made_program, made_routine
from tests.methods.impact.points_to.test_points_to import callees

Types = tuple[str, ...]


def taking(name: str, types: Types) -> Routine:
    """A routine whose parameters have these types."""
    parameters = " ".join(f"p{number}" for number in range(len(types)))
    return replace(made_routine(name, parameters, ""), parameter_types=types)


@pytest.mark.parametrize(
    ("types", "shape", "is_fitting"),
    [
        ((), "call void()", True),
        (("ptr", "i32"), "call void(ptr, i32)", True),
        (("ptr", "i32"), "call void(ptr, i64)", True),
        (("ptr",), "call i32(ptr, i32)", True),
        (("ptr", "i32"), "call void(ptr)", False),
        (("ptr", "i32"), "call void(ptr, ptr)", False),
        (("double",), "call void(i64)", False),
        (("double",), "call void(double) [0]", True),
        (("%struct.a",), "call void(%struct.ab)", False),
    ],
)
def test_a_call_hands_over_what_the_routine_takes(types, shape, is_fitting):
    assert fits(taking("f", types), shape) is is_fitting


def test_where_no_types_are_told_anything_fits():
    assert fits(made_routine("f", "a b", ""), "call void()")


def called_with_a_pointer(first: Types, second: Types) -> set[str]:
    """What a call with one pointer means, of two functions that take arguments of these types."""
    main = made_routine("main", "c", "t = phi @f:entry @g:entry; r = call t c shape call(ptr)")
    return callees(solve(made_program(taking("f", first), taking("g", second), main)), "main", "r")


def test_what_does_not_fit_is_called_only_where_nothing_fits():
    assert called_with_a_pointer(("ptr",), ("double",)) == {"f"}
    assert called_with_a_pointer(("ptr", "ptr"), ()) == {"g"}
    assert called_with_a_pointer(("i32",), ("ptr", "i32")) == {"f", "g"}
