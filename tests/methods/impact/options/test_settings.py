"""What decisions set: stores that are work on data are none."""

import pytest

from sonde.methods.impact.options.settings import find_settings
from sonde.methods.impact.options.sums import is_counter
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

ONCE = """
    n = local size 4
    store n 1 size 4
    branch argc yes no
  yes:
    {inside}
    jump no
  no:
    v = load n size 4
    return v
"""
REPEATED = """
    n = local size 4
    store n 1 size 4
    jump head
  head:
    branch argc yes no
  yes:
    {inside}
    jump head
  no:
    v = load n size 4
    return v
"""
GROWN = 'a = load n size 4; b = compute a 2 shape "mul i32"; s = store n b size 4'
ADDED = 'a = load n size 4; b = compute a argc shape "add i32"; s = store n b size 4'
COPIED = "s = store n argc size 4"
CONSTANT = "s = store n 5 size 4"
SHARED = 'a = load @total size 4; b = compute a 1 shape "add i32"; s = store @total b size 4'


def asked(text: str, inside: str) -> tuple[Asked, int, int]:
    """The program, the block that decides, and the node of the store `s`."""
    main = made_routine("main", "argc argv", text.format(inside=inside))
    found = Asked(made_global("total", size=4), main)
    decider = next(each.block for each in main.instructions if each.kind.name == "BRANCH")
    return found, decider, found.node("main.s")


def is_set(text: str, inside: str) -> bool:
    found, decider, store = asked(text, inside)
    block = found.flow.program.routines[0].instructions[store - found.flow.value(0, 2)].block
    return store in find_settings(found.flow, 0, decider, {block}, {})


@pytest.mark.parametrize("inside", [GROWN, ADDED, COPIED, CONSTANT, SHARED])
def test_what_is_stored_once_is_set_be_it_computed_or_not(inside):
    assert is_set(ONCE, inside)


def test_what_is_only_read_where_it_was_stored_is_not_set_unless_it_is_a_constant():
    inside = "k = local size 4; s = store k {value} size 4; a = load k size 4; r = call work a"

    assert not is_set(ONCE, inside.format(value="argc"))
    assert is_set(ONCE, inside.format(value="3"))


@pytest.mark.parametrize("inside", [GROWN, ADDED, SHARED])
def test_what_is_summed_up_in_a_loop_is_not_set(inside):
    assert not is_set(REPEATED, inside)


@pytest.mark.parametrize("inside", [COPIED, CONSTANT])
def test_what_does_not_come_back_is_set_in_a_loop_as_well(inside):
    assert is_set(REPEATED, inside)


SCALED = 'store n {first} size 4; a = load n size 4; b = compute a 2 shape "mul i32"; {name}store n b size 4'
AGAIN = 'c = load n size 4; d = compute c 3 shape "mul i32"; s = store n d size 4'


@pytest.mark.parametrize(("first", "is_one"), [("0", False), ("1", True), ("argc", True)])
def test_nothing_stays_nothing_however_often_it_is_scaled(first, is_one):
    assert is_set(ONCE, SCALED.format(first=first, name="s = ")) is is_one
    assert is_set(ONCE, f"{SCALED.format(first=first, name='')}; {AGAIN}") is is_one


def test_a_variable_that_begins_anew_in_each_round_is_not_summed_up():
    assert is_set(REPEATED, f"store n 7 size 4; {GROWN}")


@pytest.mark.parametrize(("text", "is_one"), [(REPEATED, True), (ONCE, False)])
def test_a_variable_counts_if_it_is_added_to_in_a_loop(text, is_one):
    main = made_routine("work", "argc argv", text.format(inside=GROWN))
    found = Asked(main, made_routine("main", "argc argv", "r = call work argc argv\nreturn r"))

    assert is_counter(found.flow, found.node("work.s"), {0}) is is_one
