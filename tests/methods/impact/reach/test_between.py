from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.impact.reach.between import hops_between, nodes_between
from sonde.methods.impact.reach.searching import reach_backward, reach_forward
from tests.methods.impact.flow_graphs import between_by_definition, flow_graphs
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_routine


@settings(max_examples=40)
@given(flow_graphs(routines=2), st.data(), st.integers(0, 2))
def test_what_lies_between_is_on_a_whole_way_with_calls_and_returns_matched(flow, data, depth):
    ends = st.lists(st.integers(0, flow.nodes - 1), min_size=1, max_size=2)
    sources, targets = data.draw(ends), data.draw(ends)
    found = hops_between(reach_forward(flow, sources, depth), reach_backward(flow, targets, depth), depth)

    expected = between_by_definition(flow, sources, targets, depth)
    assert {node: hops for node, hops in enumerate(found.tolist()) if hops <= depth} == expected


def test_what_one_call_brings_and_another_takes_away_is_on_no_way():
    asked = Asked(
        made_routine("id", "x", "v = compute x 1; return v"),
        made_routine("f", "a b", "x = call id a; y = call id b; z = compute y 1; return z"),
    )

    def between(source, target):
        forward = reach_forward(asked.flow, [asked.node(source)], 1)
        return nodes_between(forward, reach_backward(asked.flow, [asked.node(target)], 1), 1)

    assert between("f.a", "f.z") == set()
    assert {asked.node("id.v"), asked.node("f.y")} <= between("f.b", "f.z")
