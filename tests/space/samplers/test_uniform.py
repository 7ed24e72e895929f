"""Uniform sampling, without repetition."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.samplers.choosing import SamplerRequest, caveat
from sonde.space.samplers.uniform import by_random_values, uniform
from sonde.space.space import Space
from tests.space.samplers.chi_square import is_plausible
from tests.space.samplers.spaces import CONSTRAINED, SWITCH, spaces_with_samples, valid_of

# 12 configurations; where random values have b without a, one of the two is mended.
SKEWED = Space.of(
    [Option("a", SWITCH, False), *(Option(name, SWITCH, False) for name in "bcd")], ("a or not b",)
)


@given(drawn=spaces_with_samples(), seed=st.integers(0, 99), request=st.integers(0, 40))
@pytest.mark.parametrize("sampler", [uniform, by_random_values])
def test_a_wish_is_fulfilled_as_far_as_there_are_new_ones(sampler, drawn, seed, request):
    space, sampled = drawn
    left = set(valid_of(space)) - set(sampled)
    found = sampler(space, request, Random(seed), sampled)

    assert len(found) == len(set(found)) == min(request, len(left))
    assert set(found) <= left


def test_every_configuration_is_equally_probable():
    rng = Random(5)
    frequencies = Counter(each for _ in range(1_000) for each in uniform(CONSTRAINED, 10, rng))

    assert len(frequencies) == 320
    assert is_plausible(list(frequencies.values()))


def test_every_new_configuration_is_equally_probable():
    sampled = valid_of(SKEWED)[:2]
    frequencies = Counter(uniform(SKEWED, 1, Random(seed), sampled)[0] for seed in range(2_000))

    assert set(frequencies) == set(valid_of(SKEWED)) - set(sampled)
    assert is_plausible(list(frequencies.values()))


def test_random_values_are_valid_and_different_but_not_uniform():
    found = by_random_values(CONSTRAINED, 50, Random(1))
    frequencies = Counter(by_random_values(SKEWED, 1, Random(seed))[0] for seed in range(2_000))

    assert len(set(found)) == 50
    assert all(CONSTRAINED.is_valid(each) for each in found)
    assert set(frequencies) == set(valid_of(SKEWED))
    assert not is_plausible(list(frequencies.values()))


def test_a_space_that_can_be_counted_has_no_caveat():
    assert caveat(CONSTRAINED, SamplerRequest("uniform")) == ""


def test_a_space_that_is_too_intricate_to_count_is_said_to_be():
    space = Space(CONSTRAINED.options, CONSTRAINED.constraints)
    vars(space)["diagram"] = None  # as if it had grown too large, which takes long to find out
    found = uniform(space, 5, Random(1))

    assert caveat(space, SamplerRequest("uniform")).startswith("not uniform")
    assert found == by_random_values(space, 5, Random(1))
