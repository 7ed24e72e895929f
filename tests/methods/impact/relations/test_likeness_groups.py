"""Groups of choices, beside a plain look at each pair of choices."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.relations.likeness_groups import Groups

MASK = st.integers(0, 63)
CHOICES = st.lists(st.integers(1, 63), max_size=8)


def tells_apart(mask: int, one: int, other: int) -> bool:
    """Whether a set of configurations tells two choices apart, or does not know where one of them lies."""
    is_unsure = any(each & mask not in (0, each) for each in (one, other))
    return is_unsure or bool(one & mask) != bool(other & mask)


@given(CHOICES, st.lists(MASK, max_size=4), st.lists(MASK, max_size=2))
def test_sets_split_groups_if_they_tell_apart_what_no_set_before_does(choices, before, masks):
    groups = Groups(choices)

    groups.add(before)

    assert groups.are_split_by(masks) == any(
        any(tells_apart(mask, *pair) for mask in masks)
        for pair in combinations(choices, 2)
        if not any(tells_apart(mask, *pair) for mask in before)
    )


@given(CHOICES, st.lists(MASK, max_size=4))
def test_sets_that_hold_all_choices_or_none_are_not_kept(choices, masks):
    groups = Groups(choices)

    groups.add(masks)

    assert list(groups.sets) == [
        mask
        for mask in dict.fromkeys(masks)
        if any(each & mask for each in choices) and any(each & mask != each for each in choices)
    ]
