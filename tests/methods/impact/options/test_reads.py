"""Where options are read that share a variable, as a whole or bit by bit."""

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.reads import OptionReads, VariableReads, find_option_reads
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from tests.methods.impact.made_programs import made_global, made_program, made_routine

TEXT = """
    v = load @flags size 4
    a = compute v 4 shape "and i32"
    return a
"""

PROGRAM = made_program(made_global("flags", size=4), made_routine("main", "argc argv", TEXT))
READS = find_reads(build_flow(PROGRAM, solve(PROGRAM)), "flags").nodes


def options(*bits: int | None) -> list[OptionReads]:
    variables = [[VariableReads(READS, each)] for each in bits]
    return find_option_reads(variables, lambda option, nodes: None)


def test_options_that_share_a_variable_as_a_whole_hold_nothing_for_themselves():
    assert [each.exact for each in options(None, None)] == [frozenset(), frozenset()]
    assert options(None)[0].exact == READS


def test_an_option_of_some_bits_is_read_with_these_bits():
    (found,) = options(4)

    assert found.nodes == READS
    assert found.bits == dict.fromkeys(READS, 4)
    assert not found.exact
