"""Few of given configurations: what they must cover is what the plain loop finds."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration
from sonde.space.samplers.covering import all_if_hardly_more, covering
from tests.space.samplers.spaces import CONSTRAINED, tuples_of, valid_of

VALUES = {"a": (False, True), "b": (False, True), "c": ("lz", "rle", "xz"), "level": (1, 5, 9)}
EVERY = [Configuration.of(dict(zip(VALUES, chosen, strict=True))) for chosen in product(*VALUES.values())]

some_configurations = st.lists(st.sampled_from(EVERY), unique=True, max_size=12)
some_names = st.lists(st.sampled_from(list(VALUES)), unique=True)


def restricted(configurations, names):
    """The configurations with these options alone."""
    return [
        Configuration.of({literal.option: literal.value for literal in each if literal.option in names})
        for each in configurations
    ]


def plainly(configurations, names, strength):
    """The same choice by counting again at each step, in the order in which it is made."""
    left = tuples_of(restricted(configurations, names), strength)
    chosen = list(configurations[:1])
    left -= tuples_of(restricted(chosen, names), strength)
    while left:
        gains = [len(tuples_of(restricted([each], names), strength) & left) for each in configurations]
        best = configurations[gains.index(max(gains))]
        chosen.append(best)
        left -= tuples_of(restricted([best], names), strength)
    return chosen


@given(configurations=some_configurations, names=some_names, strength=st.integers(1, 4))
def test_every_meeting_of_values_that_is_given_is_kept(configurations, names, strength):
    found = covering(configurations, names, strength)

    wanted = tuples_of(restricted(configurations, names), strength)
    assert tuples_of(restricted(found, names), strength) == wanted


@given(configurations=some_configurations, names=some_names, strength=st.integers(1, 4))
def test_the_choice_is_that_of_the_plain_loop_in_the_given_order(configurations, names, strength):
    found = covering(configurations, names, strength)

    chosen = set(plainly(configurations, names, strength))
    assert found == tuple(each for each in configurations if each in chosen)
    assert found[:1] == tuple(configurations[:1])


@given(configurations=some_configurations, names=some_names)
def test_a_strength_of_all_options_keeps_every_different_one(configurations, names):
    found = covering(configurations, names, max(1, len(names)))

    assert len(found) == len(set(restricted(configurations, names)))


def test_pairs_of_a_constrained_space_need_few():
    valid = valid_of(CONSTRAINED)
    names = [option.name for option in CONSTRAINED.options]

    assert len(covering(valid, names, 2)) <= 15
    assert len(covering(valid, names[:1], 2)) == 2
    assert covering(valid, [], 2) == (valid[0],)


def test_literals_of_other_options_do_not_count():
    both = [Configuration.of({"a": False, "b": each}) for each in (False, True)]

    assert covering(both, ["a"], 1) == (both[0],)


def test_all_are_taken_where_they_are_at_most_half_as_many_again():
    configurations = tuple(Configuration.of({"a": at}) for at in range(6))

    assert all_if_hardly_more(configurations, configurations[:4]) == configurations
    assert all_if_hardly_more(configurations, configurations[:3]) == configurations[:3]
    assert all_if_hardly_more(configurations[:1], configurations[:2]) == configurations[:2]
