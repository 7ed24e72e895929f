"""Several searches at once, beside one after the other."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.searching import reach_forward
from sonde.methods.impact.reach.together import reach_together
from sonde.methods.impact.reach.watched_nodes import WatchedNodes
from tests.methods.impact.flow_graphs import flow_graphs, reached_by_definition


@st.composite
def graphs_with_groups(draw):
    """A flow graph, in which a node may stand for the same as another one, groups of nodes, and moments."""
    flow = draw(flow_graphs())
    node = st.integers(0, flow.nodes - 1)
    flow.copies = {draw(node): [draw(node)]} if draw(st.booleans()) else {}
    groups = draw(st.lists(st.lists(node, max_size=3), max_size=4))
    moments = object.__new__(Moments)
    moments.allowed = bytearray(draw(st.lists(st.booleans(), min_size=flow.nodes, max_size=flow.nodes)))
    return flow, groups, moments


@given(graphs_with_groups())
def test_each_group_comes_to_what_it_comes_to_alone(drawn):
    flow, groups, moments = drawn

    together = reach_together(flow, groups, moments)

    for number, group in enumerate(groups):
        alone = reach_forward(flow, group, 0, moments)
        for node in range(flow.nodes):
            assert bool(together.at(node) >> number & 1) == alone.is_reached(node)
            assert bool(together.ahead(node) >> number & 1) == (alone.hops_in_phase(node, 0) is not None)


@given(flow_graphs(), st.data())
def test_a_group_comes_to_what_is_told_by_the_definition(flow, data):
    group = data.draw(st.lists(st.integers(0, flow.nodes - 1), min_size=1, max_size=2))
    everywhere = object.__new__(Moments)
    everywhere.allowed = bytearray(b"\1" * flow.nodes)

    together = reach_together(flow, [group], everywhere)

    assert together.nodes() == set(reached_by_definition(flow, group, 0))


@given(graphs_with_groups(), st.data())
def test_watched_nodes_are_told_in_order_if_they_are_come_to(drawn, data):
    flow, groups, moments = drawn
    nodes = data.draw(st.lists(st.integers(0, flow.nodes - 1), unique=True))
    reach = reach_forward(flow, [node for group in groups for node in group], 1, moments)
    watched = WatchedNodes(flow, nodes)

    assert [nodes[each] for each in watched.reached(reach)] == [
        each for each in nodes if reach.is_reached(each)
    ]


@given(graphs_with_groups(), st.data())
def test_watched_nodes_are_told_in_order_if_a_group_comes_to_them(drawn, data):
    flow, groups, moments = drawn
    nodes = data.draw(st.lists(st.integers(0, flow.nodes - 1)))
    reach = reach_together(flow, groups, moments)

    assert WatchedNodes(flow, nodes).reached_together(reach) == [
        position for position, each in enumerate(nodes) if reach.at(each)
    ]
