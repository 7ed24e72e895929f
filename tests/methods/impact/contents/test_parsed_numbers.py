"""Numbers that a program reads from the words of its options."""

from dataclasses import replace

import pytest

from sonde.core.code import ValuePart
from sonde.methods.impact.command_line.words import CommandLine
from sonde.methods.impact.contents.choices import Choosing
from sonde.methods.impact.contents.parsed_numbers import numbers_in
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.variables import Choice
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.reachable import Reachability
from tests.methods.impact.made_programs import made_global, made_program, made_routine, names_of_blocks

MAIN = """
    jump loop
  loop:
    r = call getopt argc argv "l:d:"
    e = compute r -1 shape "icmp eq i32"
    branch e done more
  more:
    switch r other 108:level 100:depth
  level:
    t = load @optarg
    n = call {reader}
    store @level n size 4
    jump loop
  depth:
    u = load @optarg
    m = call strtol u null 10
    store @depth m size 4
    jump loop
  other:
    jump loop
  done:
    v = load @level size 4
    c = compute v {bound} shape "icmp eq i32"
    branch c many few
  many:
    call work
    jump few
  few:
    return
"""
LEVELS = [Choice(1, ("-l", "1")), Choice(5, ("-l", "5"))]
DEPTHS = [Choice(7, ("-d", "7"))]


def never_chosen(bound: int, reader: str = "strtol t null 10", fixed=()):
    """The names of the blocks behind what no configuration chooses."""
    program = made_program(
        replace(made_global("level", size=4), parts=(ValuePart(0, "2", number=2),)),
        made_global("depth", size=4),
        made_global("optarg", size=8, is_defined=False),
        made_routine("main", "argc argv", MAIN.format(bound=bound, reader=reader)),
    )
    flow = build_flow(program, solve(program))
    line = CommandLine(flow, Reachability(flow))
    choosing = Choosing(flow, line, [LEVELS, DEPTHS], fixed)
    names = names_of_blocks(program.routines[0])
    code = program.routines[0]
    return {
        names[code.instructions[code.blocks[block][1] - 1].targets[number]]
        for _, block, number in choosing.never
    }


@pytest.mark.parametrize("bound", [1, 5, 2])
def test_what_a_word_or_the_first_value_chooses_may_be_chosen(bound):
    assert "many" not in never_chosen(bound)


@pytest.mark.parametrize("bound", [0, 3, 7])
def test_what_no_word_of_the_option_chooses_is_never_chosen(bound):
    assert "many" in never_chosen(bound)


@pytest.mark.parametrize("reader", ["getpid", "strtol t null 16", "strtol argc null 10", "read_number t"])
def test_what_something_else_gives_may_be_any_number(reader):
    assert "many" not in never_chosen(3, reader)


def test_where_other_words_may_be_given_nothing_is_known():
    assert never_chosen(3, fixed=None) == set()


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["--level=12"], [12]),
        (["-l", "3"], [3]),
        (["-l3"], [3]),
        (["--range=2:10"], [2, 10]),
        (["--offset=-4"], [4, -4]),
        (["--fast"], []),
        (["--mode=010"], []),
        (["-0"], [0, 0]),
        (["--part=0x10"], []),
    ],
)
def test_numbers_in_words(words, numbers):
    assert list(numbers_in(words)) == numbers
