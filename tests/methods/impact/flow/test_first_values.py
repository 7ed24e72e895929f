"""Which loads may see the first value of a global."""

import pytest

from sonde.methods.impact.command_line.words import CommandLine
from sonde.methods.impact.contents.choices import Choosing
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.flow.first_values import FirstValues
from sonde.methods.impact.options.variables import Choice
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.reachable import Reachability
from tests.methods.impact.made_programs import made_global, made_program, made_routine

LOADING = made_routine("work", "", "v = load @level size 4\n call use v\n return")


def flow_of(main: str, *others, level=None):
    program = made_program(
        level or made_global("level", size=4),
        made_global("optarg", size=8, is_defined=False),
        made_routine("main", "argc argv", main),
        LOADING,
        *others,
    )
    return build_flow(program, solve(program))


def readers(flow, replacing=lambda _: ()):
    """The names of the routines in which the first value of `level` is seen."""
    (cell,) = flow.memory.cells_of(flow.memory.object_of_global(0))
    found = [flow.where(node) for node in FirstValues(flow, replacing).seen_by(cell)]
    return [flow.program.routines[each.routine].name if each.routine >= 0 else each.kind for each in found]


def test_what_is_overwritten_before_any_load_is_seen_by_none():
    assert readers(flow_of("store @level 3 size 4\n call work\n return")) == []


def test_what_some_callee_always_overwrites_is_seen_by_none():
    setting = made_routine("configure", "", "store @level 3 size 4\n return")

    assert readers(flow_of("call configure\n call work\n return", setting)) == []


@pytest.mark.parametrize(
    "main",
    [
        "call work\n store @level 3 size 4\n return",
        "call work\n return",
        "branch argc set on\n set:\n store @level 3 size 4\n jump on\n on:\n call work\n return",
        "store @level 3 size 1\n call work\n return",
        "store argv 3 size 4\n call work\n return",
    ],
)
def test_what_may_not_be_overwritten_before_is_seen(main):
    assert set(readers(flow_of(main))) & {"work", "cell"}


def test_where_something_else_than_a_load_reads_it_the_cell_itself_is_seen():
    assert readers(flow_of("store @level 3 size 4\n call write 1 @level 4\n call work\n return")) in (
        ["cell"],
        [],
    )


READING = """
    {before}
    jump loop
  loop:
    r = call getopt argc argv "l:"
    e = compute r -1 shape "icmp eq i32"
    branch e done more
  more:
    switch r other 108:level
  level:
    t = load @optarg
    n = call strtol t null 10
    store @level n size 4
    jump loop
  other:
    jump loop
  done:
    call work
    return
"""
SPELLED = [Choice(1, ("-l", "1")), Choice(5, ("-l", "5"))]


def readers_with(choices, before="", fixed=()):
    flow = flow_of(READING.format(before=before))
    choosing = Choosing(flow, CommandLine(flow, Reachability(flow)), [choices], fixed)
    return readers(flow, choosing.replaced)


def test_a_value_that_words_of_every_configuration_overwrite_is_seen_by_none():
    assert readers_with(SPELLED) == []


def test_it_is_seen_before_words_are_read():
    assert readers_with(SPELLED, before="call work") == ["work"]


@pytest.mark.parametrize(
    ("choices", "fixed"), [([Choice(1, ()), Choice(5, ("-l", "5"))], ()), (SPELLED, None), ([], ())]
)
def test_it_is_seen_where_some_configuration_may_lack_the_words(choices, fixed):
    assert readers_with(choices, fixed=fixed) == ["work"]


PEEK = """
    jump loop
  loop:
    r = call getopt argc argv "l:"
    e = compute r -1 shape "icmp eq i32"
    branch e done more
  more:
    switch r loop 108:found
  found:
    jump loop
  done:
    return
"""


def test_it_is_seen_between_two_readings_of_the_words():
    main = READING.format(before="call peek argc argv\n call work")
    flow = flow_of(main, made_routine("peek", "argc argv", PEEK))
    choosing = Choosing(flow, CommandLine(flow, Reachability(flow)), [SPELLED], ())

    assert readers(flow, choosing.replaced) == ["work"]
