"""Ways through a routine against their slow twin: each configuration is gone through alone."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.presence.inside import find_inside

CONFIGURATIONS = 4
ALL = (1 << CONFIGURATIONS) - 1


@st.composite
def graphs(draw):
    """Where blocks lead, and the configurations in which they do."""
    count = draw(st.integers(1, 7))
    blocks = st.integers(0, count - 1)
    after = [tuple(draw(st.lists(blocks, max_size=2))) for _ in range(count)]
    edges = {
        (block, target): draw(st.integers(0, ALL))
        for block, targets in enumerate(after)
        for target in targets
    }
    return after, edges


def ends_without(after, edges, blocks, dead_ends, configuration):
    """Whether an end can be come to without these blocks."""
    waiting = [0] if 0 not in blocks else []
    seen = set(waiting)
    while waiting:
        block = waiting.pop()
        for target in after[block]:
            if edges[block, target] >> configuration & 1 and target not in seen and target not in blocks:
                seen.add(target)
                waiting.append(target)
    return any(not after[block] and block not in dead_ends for block in seen)


@given(
    graphs(),
    st.integers(0, ALL),
    st.frozensets(st.integers(0, 6), max_size=2),
    st.frozensets(st.integers(0, 6)),
)
def test_a_routine_is_gone_through_without_blocks_as_in_each_configuration_alone(
    graph, entry, dead_ends, blocks
):
    after, edges = graph

    passed = find_inside(after, entry, edges, dead_ends).passed_by(blocks)

    for configuration in range(CONFIGURATIONS):
        is_entered = entry >> configuration & 1
        expected = is_entered and ends_without(after, edges, blocks, dead_ends, configuration)
        assert bool(passed >> configuration & 1) is bool(expected)


@given(graphs(), st.integers(0, ALL), st.integers(0, 6))
def test_one_block_is_passed_by_as_in_each_configuration_alone(graph, entry, block):
    after, edges = graph

    passed = find_inside(after, entry, edges).passed_by(frozenset({block}))

    for configuration in range(CONFIGURATIONS):
        is_entered = entry >> configuration & 1
        expected = is_entered and ends_without(after, edges, {block}, (), configuration)
        assert bool(passed >> configuration & 1) is bool(expected)
