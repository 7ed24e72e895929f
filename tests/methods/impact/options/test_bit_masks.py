"""Where a variable is used by constant masks alone, and who reads which of its bits."""

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.bit_masks import find_masks
from sonde.methods.impact.options.reads import VariableReads, find_option_reads
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from tests.methods.impact.made_programs import made_global, made_program, made_routine, value_in

TEXT = """
    s = load @flags size 4
    t = compute s 8 shape "or i32"
    store @flags t size 4
    v = load @flags size 4
    a = compute v 4 shape "and i32"
    b = compute v 6 shape "and i32"
    {more}
    return a
"""


class Made:
    def __init__(self, more: str = "") -> None:
        routine = made_routine("main", "argc argv", TEXT.format(more=more))
        self.program = made_program(made_global("flags", size=4), routine)
        self.flow = build_flow(self.program, solve(self.program))
        self.reads = find_reads(self.flow, "flags").nodes

    def node(self, name: str) -> int:
        return self.flow.value(*value_in(self.program, "main", name))

    def options(self, *bits: int | None):
        variables = [[VariableReads(self.reads, each)] for each in bits]
        return find_option_reads(self.flow, variables, lambda option, nodes: None)


def test_masks_are_found_and_storing_back_is_no_use():
    made = Made()
    assert find_masks(made.flow, made.reads) == {made.node("a"): 4, made.node("b"): 6}


def test_any_other_use_is_one_of_the_whole():
    for more in ("call print v", 'c = compute v 3 shape "icmp eq i32"', "store @other v size 4"):
        assert find_masks(Made(more).flow, Made(more).reads) is None


def test_an_option_is_read_where_a_mask_has_its_bit():
    made = Made()
    first, second = made.options(4, 2)

    assert (first.nodes, first.exact) == ({made.node("a"), made.node("b")}, {made.node("a")})
    assert (second.nodes, second.exact) == ({made.node("b")}, frozenset())


def test_options_that_share_a_variable_as_a_whole_hold_nothing_for_themselves():
    made = Made()
    assert [each.exact for each in made.options(None, None)] == [frozenset(), frozenset()]
    assert made.options(None)[0].exact == made.reads
