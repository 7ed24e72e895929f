"""Options that are set anew where the program has decided by them."""

import pytest

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.presence.rewrites import is_asked_again
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import Domain
from tests.methods.impact.made_programs import made_global, made_program
from tests.methods.impact.shapes import shaped_routine

INSIDE = """
    f = load @fast
    c = compute f 0 shape "icmp ne i32"
    branch c on after
  on:
    {write}
    g = load @fast
    d = compute g 0 shape "icmp eq i32"
    branch d changed after
  changed:
    call work
    jump after
  after:
    return
"""
DEFAULT = """
    f = load @fast
    c = compute f 0 shape "icmp eq i32"
    branch c unset after
  unset:
    {write}
    jump after
  after:
    g = load @fast
    d = compute g 1 shape "icmp eq i32"
    branch d changed done
  changed:
    call work
    jump done
  done:
    return
"""
WRITES = ("store @fast 1", "call set", "call set_by_others")


def is_found(main: str) -> bool:
    program = made_program(
        made_global("fast", size=4),
        shaped_routine("main", "", main),
        shaped_routine("set", "", "store @fast 1\nreturn"),
        shaped_routine("set_by_others", "", "call set\nreturn"),
        shaped_routine("work", "", "return"),
    )
    flow = build_flow(program, solve(program))
    reads = find_reads(flow, "fast").nodes
    main_number = next(program.find_routines("main"))
    presence = Presence(
        Routines(flow, frozenset({main_number}), dict.fromkeys(reads, 0)),
        Domain(((0, 1),)),
        [main_number],
        {},
    )
    return is_asked_again(flow, presence, 0, reads)


@pytest.mark.parametrize("write", WRITES)
def test_an_option_is_asked_again_inside_of_what_it_decided(write):
    assert is_found(INSIDE.format(write=write))


@pytest.mark.parametrize("write", WRITES)
def test_a_default_is_harmless_as_nothing_is_decided_behind_it(write):
    assert not is_found(DEFAULT.format(write=write))


def test_an_option_that_is_not_set_anew_may_be_asked_as_often_as_one_likes():
    assert not is_found(INSIDE.format(write="call work"))
