from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.revisions import ALWAYS, History, Revision, Span, Timeline
from tests.values import revision_id


def history(length: int) -> History:
    return History(tuple(Revision(revision_id(i), (), i, "someone", f"change {i}") for i in range(length)))


def test_a_history_knows_where_each_revision_stands():
    ten = history(10)

    assert ten.positions[revision_id(7)] == 7
    assert revision_id(3) in ten
    assert revision_id(10) not in ten


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_a_span_begins_with_since_and_ends_before_until(since, until, position):
    reached = {name: frozenset(map(revision_id, range(int(name), 21))) for name in (str(since), str(until))}
    timeline = Timeline(reached)

    assert timeline.covers(Span(str(since), str(until)), revision_id(position)) == (since <= position < until)
    assert timeline.covers(Span(since=str(since)), revision_id(position)) == (since <= position)
    assert timeline.covers(ALWAYS, revision_id(position))
