from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.reach.searching import reach_backward, reach_forward
from tests.methods.impact.flow_graphs import flow_graphs, is_realizable, reached_by_definition


@given(flow_graphs(), st.data(), st.integers(0, 2))
def test_forward_reach_is_that_of_matched_calls_and_returns(flow, data, depth):
    sources = data.draw(st.lists(st.integers(0, flow.nodes - 1), min_size=1, max_size=2))
    reach = reach_forward(flow, sources, depth)

    found = {node: reach.hops(node) for node in reach.nodes()}
    assert found == reached_by_definition(flow, sources, depth)


@given(flow_graphs(), st.integers(0, 2))
def test_backward_reach_is_forward_reach_from_the_other_end(flow, depth):
    forward = {node: reached_by_definition(flow, [node], depth) for node in range(flow.nodes)}

    for target in range(flow.nodes):
        reach = reach_backward(flow, [target], depth)
        found = {node: reach.hops(node) for node in reach.nodes()}
        assert found == {node: hops[target] for node, hops in forward.items() if target in hops}


@given(flow_graphs(), st.data(), st.booleans())
def test_a_path_leads_there_with_the_hops_that_are_told_and_calls_matched(flow, data, is_forward):
    start = data.draw(st.integers(0, flow.nodes - 1))
    reach = (reach_forward if is_forward else reach_backward)(flow, [start], 2)

    for node in reach.nodes():
        path = reach.path(node)
        way = [each for each, _ in path]
        assert (way[0], way[-1]) == ((start, node) if is_forward else (node, start))
        assert is_realizable(flow, way)
        assert sum(step is FlowStep.CONTROL for _, step in path) <= (reach.hops(node) or 0)
        for (one, _), (other, step) in pairwise(path):
            assert (other, step) in {(each, kind) for each, kind, _ in flow.successors(one)}


@given(flow_graphs(), st.data())
def test_more_depth_reaches_more_and_keeps_what_was_reached(flow, data):
    start = data.draw(st.integers(0, flow.nodes - 1))
    less, more = reach_forward(flow, [start], 1), reach_forward(flow, [start], 2)

    assert {node: less.hops(node) for node in less.nodes()} == {
        node: more.hops(node) for node in more.nodes() if (more.hops(node) or 0) < 2
    }


@given(flow_graphs(), st.data())
def test_a_search_may_be_kept_inside_of_some_nodes(flow, data):
    start = data.draw(st.integers(0, flow.nodes - 1))
    inside = data.draw(st.sets(st.integers(0, flow.nodes - 1)))
    reach = reach_forward(flow, [start], 1, inside)

    assert set(reach.nodes()) <= inside | {start}


@given(flow_graphs())
def test_what_is_not_reached_has_no_hops_and_no_path(flow):
    reach = reach_forward(flow, [], 1)

    assert list(reach.nodes()) == []
    assert reach.hops(0) is None
    assert reach.path(0) == ()
