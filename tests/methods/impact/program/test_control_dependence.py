import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.program.control_dependence import control_dependence, post_dominators


@st.composite
def graphs(draw, most=9):
    """Blocks in which each comes to an end, or not."""
    size = draw(st.integers(1, most))
    return [
        tuple(draw(st.lists(st.integers(0, size - 1), max_size=3)) if draw(st.booleans()) else ())
        for _ in range(size)
    ]


def _reaches_end(successors, start, without=-1):
    seen, waiting = set(), [start]
    while waiting:
        block = waiting.pop()
        if block in seen or block == without:
            continue
        seen.add(block)
        if not successors[block]:
            return True
        waiting.extend(successors[block])
    return False


def _all_reach_end(successors):
    return all(_reaches_end(successors, block) for block in range(len(successors)))


def _post_dominates(successors, later, block):
    """By definition: without it, the end is out of reach."""
    return later == block or not _reaches_end(successors, block, without=later)


@given(graphs().filter(_all_reach_end))
def test_nearest_post_dominators_are_those_of_the_definition(successors):
    size = len(successors)
    parents = post_dominators(successors)

    for block in range(size):
        strict = {
            later for later in range(size) if later != block and _post_dominates(successors, later, block)
        }
        chain = set()
        while (block := parents[block]) != size:
            chain.add(block)
        assert chain == strict


@given(graphs().filter(_all_reach_end))
def test_a_block_depends_on_a_decision_as_ferrante_ottenstein_and_warren_define_it(successors):
    size = len(successors)
    for block, deciders in enumerate(control_dependence(successors)):
        expected = {
            decider
            for decider in range(size)
            if any(_post_dominates(successors, block, after) for after in successors[decider])
            and (decider == block or not _post_dominates(successors, block, decider))
            and len(set(successors[decider])) > 1
        }
        assert set(deciders) == expected
        assert len(deciders) == len(expected)


@given(graphs(most=14))
def test_endless_loops_do_not_break_anything(successors):
    deciders = control_dependence(successors)

    assert len(deciders) == len(successors)
    for found in deciders:
        assert all(len(set(successors[each])) > 1 for each in found)


IF = [(1, 2), (3,), (3,), ()]


def test_both_sides_of_an_if_depend_on_it_and_what_follows_does_not():
    assert control_dependence(IF) == [(), (0,), (0,), ()]


def test_the_body_of_a_loop_and_its_head_depend_on_the_head():
    assert control_dependence([(1,), (2, 3), (1,), ()]) == [(), (1,), (1,), ()]


def test_a_check_that_only_stops_the_program_does_not_decide_about_the_rest():
    checked = [(1, 2), (), (3, 4), (4,), ()]

    assert control_dependence(checked)[2] == (0,)
    assert control_dependence(checked, {1}) == [(), (0,), (), (2,), ()]


def test_a_stop_inside_of_a_branch_depends_on_its_own_check_only():
    # if (a) { if (b) die(); work(); }
    blocks = [(1, 4), (2, 3), (), (4,), ()]

    assert control_dependence(blocks, {2}) == [(), (0,), (1,), (0,), ()]


def test_a_routine_that_only_stops_keeps_its_decisions():
    assert control_dependence(IF, {0, 1, 2, 3}) == [(), (0,), (0,), ()]


def test_an_endless_loop_depends_on_what_is_decided_in_it():
    # for (;;) { if (a) work(); }
    assert control_dependence([(1,), (2, 3), (3,), (1,)])[2] == (1,)


@pytest.mark.parametrize("size", [3000])
def test_a_huge_switch_and_a_long_chain_are_no_problem(size):
    switch = [tuple(range(1, size)), *((size,) for _ in range(1, size)), ()]
    chain = [*((each + 1,) for each in range(size)), ()]

    assert control_dependence(switch)[1:] == [*(((0,),) * (size - 1)), ()]
    assert control_dependence(chain) == [()] * (size + 1)
