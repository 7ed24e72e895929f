from hypothesis import given
from hypothesis import strategies as st

from sonde.report.page.grouping import group_changes
from tests.report.made_histories import Step, some_series, stepped


def places(groups):
    return sorted((group.earliest, group.latest, group.series) for group in groups)


def test_the_same_revision_is_one_group_per_benchmark_and_direction():
    series = [
        stepped(50, 1.0, [Step(20, 2.0)]),
        stepped(50, 1.0, [Step(20, 1.5)]),
        stepped(50, 1.0, [Step(20, 0.5)]),
        stepped(50, 1.0, [Step(20, 2.0)], benchmark="unpack"),
    ]

    assert places(group_changes(series)) == [(20, 20, (0, 1)), (20, 20, (2,)), (20, 20, (3,))]


def test_a_range_joins_the_exact_change_in_it_with_the_most_similar_effect():
    series = [
        stepped(50, 1.0, [Step(20, 1.1), Step(30, 2.2)]),
        stepped(50, 1.0, [Step(25, 2.0, 10)]),
    ]

    assert places(group_changes(series)) == [(20, 20, (0,)), (30, 30, (0, 1))]


def test_ranges_without_an_exact_change_share_what_they_have_in_common():
    series = [stepped(50, 1.0, [Step(20, 2.0, 5)]), stepped(50, 1.0, [Step(22, 2.0, 4)])]

    assert places(group_changes(series)) == [(18, 25, (0, 1))]


@given(st.lists(some_series(60), min_size=1, max_size=5))
def test_each_change_is_in_one_group_whose_revisions_can_all_be_it(series):
    groups = group_changes(series)

    assert sum(len(group.members) for group in groups) == sum(len(each.changes) for each in series)
    for group in groups:
        assert group.earliest <= group.latest
        assert set(group.certain_series) <= set(group.series)
        for member in group.members:
            assert member.change.earliest <= group.earliest
            assert group.latest <= member.change.latest
