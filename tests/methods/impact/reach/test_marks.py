"""Searches with arrays, beside those state by state."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.reach.marks import CLOSED
from sonde.methods.impact.reach.searching import marked, reach_backward, reach_forward
from tests.methods.impact.flow_graphs import flow_graphs


@given(flow_graphs(), st.data(), st.integers(0, 2), st.booleans())
def test_both_come_to_the_same_with_the_same_hops(flow, data, depth, is_forward):
    node = st.integers(0, flow.nodes - 1)
    starts = data.draw(st.lists(node, max_size=3))
    stays = data.draw(st.sets(node))
    reach = (reach_forward if is_forward else reach_backward)(flow, starts, depth, stays)
    closed = bytearray(0 if each in stays else CLOSED for each in range(flow.nodes) for _ in range(2))

    found = marked(flow, [2 * each for each in starts], depth, closed, is_forward=is_forward)

    for each in range(flow.nodes):
        ahead, best = found[2 * each], min(filter(None, found[2 * each : 2 * each + 2]), default=0)
        assert (ahead - 1 if ahead else None) == reach.hops_in_phase(each, 0)
        assert (best - 1 if best else None) == reach.hops(each)
