"""Values of options that decisions tell apart, through variables, arguments and results."""

from sonde.core.code import DECIDING
from sonde.methods.impact.constants import Boundaries
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.values import boundaries_of_options
from tests.methods.impact.made_programs import made_global, made_program, made_routine

MAIN = """
    o = load @level size 4
    k = local size 4
    {text}
"""
CALLEE = """
    l = local size 4
    store l p size 4
    v = load l size 4
    c = compute v 7 shape "icmp sgt i32"
    branch c yes no
  yes:
    return 1
  no:
    return v
"""


def boundaries(text: str) -> dict[int, list[Boundaries]]:
    """Those of the option whose variable is `level`."""
    program = made_program(
        made_global("level", size=4),
        made_routine("main", "argc argv", MAIN.format(text=text)),
        made_routine("callee", "p", CALLEE),
    )
    flow = build_flow(program, solve(program))
    reads = dict.fromkeys(find_reads(flow, "level").nodes, 0)
    routines = Routines(flow, frozenset(range(len(program.routines))), reads)
    decisions = [
        (number, position)
        for number, routine in enumerate(program.routines)
        for position, each in enumerate(routine.instructions)
        if each.kind in DECIDING
    ]
    return boundaries_of_options(routines, decisions, b"\1" * flow.nodes)


def values(text: str) -> tuple[object, ...]:
    (found,) = boundaries(text)[0]
    assert not found.is_vague
    return found.values()


TEST = "branch c yes no\nyes:\nreturn 1\nno:\nreturn 2"


def test_a_sum_is_followed_through_a_variable():
    text = 's = compute o 10 shape "add nsw i32"\nstore k s size 4\nv = load k size 4\n'
    assert values(text + 'c = compute v 60 shape "icmp sgt i32"\n' + TEST) == (50, 51)


def test_an_argument_is_followed_into_the_routine_that_compares_it():
    assert values("r = call callee o\nreturn 0") == (7, 8)


def test_a_result_is_followed_back():
    text = 'r = call callee o\nc = compute r 3 shape "icmp eq i32"\n'
    assert values(text + TEST) == (3, 7, 8)


def test_a_switch_tells_its_cases_and_the_rest_apart():
    assert values("switch o no 1:yes 4:yes\nyes:\nreturn 1\nno:\nreturn 2") == (0, 1, 4)


def test_two_values_of_an_option_that_are_compared_are_vague():
    text = 's = compute o o shape "add nsw i32"\nc = compute s 60 shape "icmp sgt i32"\n'
    (found,) = boundaries(text + TEST)[0]

    assert found.is_vague


def test_what_nothing_is_known_of_needs_no_values():
    text = 'u = load @elsewhere size 4\ns = compute o u shape "add nsw i32"\n'
    assert boundaries(text + 'c = compute s 60 shape "icmp sgt i32"\n' + TEST) == {}
