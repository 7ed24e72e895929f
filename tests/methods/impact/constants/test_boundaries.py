"""The numbers at boundaries show all that a decision does for any number, as trying all of them shows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.code import Kind, Routine
from sonde.methods.impact.constants import (
    SOME_ADDRESS,
    UNKNOWN,
    ConstantNumber,
    KnownConstant,
    boundaries_of,
    chosen,
    evaluate,
)
from sonde.methods.impact.constants.boundaries import Boundaries
from sonde.methods.impact.constants.values import kept
from tests.effects.bitcode.reading.modules import routine_of
from tests.methods.impact.constants.operations import PREDICATES

WIDTH = 7  # of the variable: all of its numbers are tried
MONOTONE = ("add", "sub", "sub from", "sext", "zext")  # of these, several decisions may be asked together
STEPS = (*MONOTONE, "xor", "and", "or", "mul", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem", "trunc")
FLAGS = {"add": ("", "nsw ", "nuw "), "mul": ("", "nsw ", "nuw "), "shl": ("", "nsw ", "nuw ")}


@st.composite
def computed(draw: st.DrawFn, steps: tuple[str, ...], most: int = 3) -> list[str]:
    """Lines that compute a number `%v` of the variable, step by step, and compare it: the result is `%c`."""
    lines, value, width = [], "%x", WIDTH
    for number in range(draw(st.integers(0, most))):
        step = draw(st.sampled_from(steps))
        if step in ("sext", "zext"):
            text, width = f"{step} i{width} {value} to i{width + 3}", width + 3
        elif step == "trunc":
            less = draw(st.integers(1, width))
            if less == width:
                continue
            text, width = f"trunc i{width} {value} to i{less}", less
        else:
            constant = kept(draw(st.integers(0, (1 << width) - 1) | st.integers(0, 3)), width)
            by = str(constant) if width > 1 else str(bool(constant)).lower()
            flags = draw(st.sampled_from(FLAGS.get(step, ("",))))
            pair = f"{by}, {value}" if step == "sub from" else f"{value}, {by}"
            text = f"{step.partition(' ')[0]} {flags}i{width} {pair}"
        value = f"%v{number}"
        lines.append(f"{value} = {text}")
    number = kept(draw(st.integers(0, (1 << width) - 1) | st.integers(0, 3)), width)
    by = str(number) if width > 1 else str(bool(number)).lower()
    pair = f"{by}, {value}" if draw(st.booleans()) else f"{value}, {by}"
    return [*lines, f"%c = icmp {draw(st.sampled_from(PREDICATES))} i{width} {pair}"]


def deciding(lines: list[str]) -> Routine:
    """A routine whose first block ends in a decision by `%c`."""
    body = "\n".join(lines)
    ends = "br i1 %c, label %yes, label %no\nyes:\nret void\nno:\nret void"
    return routine_of(f"define void @f(i{WIDTH} %x) {{\n{body}\n{ends}\n}}")


def decision_in(routine: Routine) -> int:
    return next(n for n, each in enumerate(routine.instructions) if each.kind in (Kind.BRANCH, Kind.SWITCH))


def outcome(routine: Routine, number: KnownConstant) -> ConstantNumber:
    """Where the decision goes for a number."""
    decision = routine.instructions[decision_in(routine)]
    value = evaluate(routine, decision.operands[0], lambda each: number if each == 0 else UNKNOWN)
    return chosen(decision, value)


def boundaries_in(routine: Routine) -> Boundaries:
    """Those of the variable."""
    return boundaries_of(routine, decision_in(routine), lambda value: value == 0).get(0, Boundaries(WIDTH))


ALL = range(-(1 << (WIDTH - 1)), 1 << (WIDTH - 1))


@settings(max_examples=400)
@given(computed(STEPS))
def test_each_way_that_a_decision_may_go_is_seen_for_some_number(lines):
    routine = deciding(lines)
    found = boundaries_in(routine)
    if not found.is_vague:
        seen = {outcome(routine, each) for each in (*found.values(), 0)}
        assert UNKNOWN in seen or {outcome(routine, each) for each in ALL} <= {*seen, UNKNOWN}


@settings(max_examples=400)
@given(computed(MONOTONE), computed(MONOTONE))
def test_each_way_that_two_decisions_go_together_is_seen_for_some_number(first, second):
    routines = [deciding(lines) for lines in (first, second)]
    found = boundaries_in(routines[0]).joined(boundaries_in(routines[1]))
    if not found.is_vague:
        seen = [tuple(outcome(one, each) for one in routines) for each in (*found.values(), 0)]
        for number in ALL:
            both = tuple(outcome(one, number) for one in routines)
            assert any(all(a in (b, UNKNOWN) for a, b in zip(each, both, strict=True)) for each in seen) or (
                UNKNOWN in both
            )


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        (["%c = icmp ne i7 %x, 0"], (0, 1)),
        (["%c = icmp sgt i7 %x, 5"], (5, 6)),
        (["%c = icmp ult i7 %x, 5"], (4, 5)),
        (["%c = icmp ugt i7 %x, -3"], (-3, -2)),
        (["%v = add i7 %x, -3", "%c = icmp ult i7 %v, 5"], (7, 8)),
        (["%c = trunc i7 %x to i1"], (0, 1)),
        (["%v = zext i7 %x to i32", "%c = icmp sgt i32 %v, 100"], (-28, -27)),
        (["%v = and i7 %x, 6", "%c = icmp eq i7 %v, 4"], (0, 2, 4, 6)),
    ],
)
def test_few_numbers_are_enough(lines, values):
    assert boundaries_in(deciding(lines)).values() == values


def test_comparisons_with_and_without_a_sign_need_a_number_below_zero():
    signed, unsigned = (boundaries_in(deciding([f"%c = icmp {each} i7 %x, 5"])) for each in ("slt", "ult"))

    assert signed.joined(unsigned).values() == (-64, 4, 5)


def test_addresses_are_null_or_not():
    code = routine_of(
        "define void @f(ptr %x) {\n%c = icmp eq ptr %x, null\n"
        "br i1 %c, label %yes, label %no\nyes:\nret void\nno:\nret void\n}"
    )

    assert boundaries_in(code).values() == (0, SOME_ADDRESS)


@pytest.mark.parametrize(
    "lines", [["%c = icmp slt i7 %x, %x"], ["%v = mul i7 %x, %x", "%c = icmp sgt i7 %v, 5"]]
)
def test_what_is_made_of_several_values_is_vague(lines):
    assert boundaries_in(deciding(lines)).is_vague
