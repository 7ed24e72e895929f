"""Distance-based sampling: distances first, uniformly; then a configuration."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.samplers.distance_based import distance_based
from sonde.space.samplers.extremes import lowest
from sonde.space.space import Space
from tests.space.samplers.chi_square import is_plausible
from tests.space.samplers.spaces import CONSTRAINED, SWITCH, spaces_with_samples, valid_of

# Few of its configurations have few or many options on; none has 0, 23 or 24.
WIDE = Space.of(
    [Option(f"o{number:02}", SWITCH, False) for number in range(24)],
    ("exactly one of o00, o01", "o02 implies o03", "o04 implies not o05"),
)


def selected_of(space):
    return lambda each: sum(each[option.name] != lowest(option) for option in space.options)


@given(drawn=spaces_with_samples(), seed=st.integers(0, 99))
def test_a_large_wish_gives_everything_that_is_left(drawn, seed):
    space, sampled = drawn
    found = distance_based(space, 10_000, Random(seed), sampled)

    assert len(found) == len(set(found))
    assert set(found) == set(valid_of(space)) - set(sampled)


@given(drawn=spaces_with_samples(), seed=st.integers(0, 99))
def test_distances_without_configurations_are_never_drawn_in_vain(drawn, seed):
    space, sampled = drawn
    left = set(valid_of(space)) - set(sampled)

    assert len(distance_based(space, 3, Random(seed), sampled)) == min(3, len(left))


def test_every_distance_is_reached():
    distances = set(map(selected_of(CONSTRAINED), valid_of(CONSTRAINED)))
    found = distance_based(CONSTRAINED, 100, Random(1))

    assert set(map(selected_of(CONSTRAINED), found)) == distances


def test_the_distances_are_uniform():
    # The ends hold few configurations and run out, so they are taken from many small samples.
    frequencies = Counter(
        selected_of(WIDE)(each) for seed in range(200) for each in distance_based(WIDE, 4, Random(seed))
    )

    assert set(frequencies) == set(range(1, 23))
    assert is_plausible([frequencies[distance] for distance in range(1, 23)])


def test_no_option_is_preferred():
    found = distance_based(WIDE, 2_000, Random(7))
    free = [f"o{number:02}" for number in range(6, 24)]
    shares = [sum(each[name] is True for each in found) / len(found) for name in free]

    assert max(shares) - min(shares) < 0.1
