"""Counts are exact, or say that they are bounds; samples of diagrams are uniform."""

import sys
from collections import Counter
from math import prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.counting import Count, count, parts_of
from sonde.space.diagrams.building import build_diagram
from sonde.space.diagrams.ordering import close_order
from sonde.space.space import Space
from tests.space.models import (
    distance,
    feature_tree,
    has,
    partial_values,
    some_spaces,
    valid_ones,
    valid_spaces,
)
from tests.space.strategies import configurations

SWITCH = (False, True)
SMALL = Space.of(
    (
        Option("level", (1, 5, 9), 5),
        Option("checksum", SWITCH, False),
        Option("filter", SWITCH, True),
        Option("algorithm", ("lz", "rle", "huffman", "none"), "lz"),
        Option("threads", (1, 2), 1),
    ),
    (
        "filter implies algorithm = lz or algorithm = rle",
        "checksum excludes level = 9",
        "threads > 1 iff filter",
    ),
)


@given(space=some_spaces())
def test_the_count_is_that_of_brute_force(space):
    assert count(space) == Count(len(valid_ones(space)), is_exact=True)


@given(space=some_spaces())
def test_the_count_is_the_same_without_cudd(space):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "dd.cudd", None)
        assert count(space) == Count(len(valid_ones(space)), is_exact=True)


@given(space=some_spaces())
def test_a_bound_is_never_below_the_count(space):
    bound = count(space, limit_seconds=0)

    assert bound.number >= len(valid_ones(space))
    assert bound.number == len(valid_ones(space)) or not bound.is_exact


@given(space=some_spaces())
def test_parts_multiply_to_the_whole(space):
    parts = list(parts_of(space))

    assert {o.name for part in parts for o in part.options} == set(space.option)
    assert prod(len(valid_ones(part)) for part in parts) == len(valid_ones(space))


@given(space=valid_spaces(), seed=st.integers(0, 2**32))
def test_what_is_sampled_is_valid(space, seed):
    assert space.diagram.sample(Random(seed)) in valid_ones(space)


@given(space=some_spaces(), data=st.data())
def test_the_nearest_configuration_of_a_diagram_is_as_near_as_any(space, data):
    fixed = data.draw(partial_values(space))
    wanted = data.draw(configurations(space.options))
    fitting = [c for c in valid_ones(space) if has(c, fixed)]

    nearest = space.diagram.nearest(wanted, fixed)

    if not fitting:
        assert nearest is None
    else:
        assert nearest in fitting
        assert distance(nearest, wanted) == min(distance(c, wanted) for c in fitting)


def chi_square(sampled, population):
    """The statistic of Pearson's test that each of the population is as probable as any other."""
    expected = len(sampled) / len(population)
    seen = Counter(sampled)
    assert set(seen) <= set(population)
    return sum((seen[each] - expected) ** 2 / expected for each in population)


def critical(freedom):
    """What a chi-square of so many degrees of freedom exceeds once in 10,000 (Wilson and Hilferty)."""
    return freedom * (1 - 2 / (9 * freedom) + 3.719 * (2 / (9 * freedom)) ** 0.5) ** 3


@pytest.mark.parametrize("space", [SMALL, feature_tree(14, Random(2)), feature_tree(20, Random(7))])
def test_samples_are_uniform(space):
    valid = list(space.configurations())
    rng = Random(1)
    sampled = [space.diagram.sample(rng) for _ in range(50 * len(valid))]

    assert 10 < len(valid) < 2_000
    assert chi_square(sampled, valid) < critical(len(valid) - 1)


@pytest.mark.parametrize(("space", "wanted"), [(SMALL, 2), (SMALL, 3), (feature_tree(14, Random(2)), 9)])
def test_samples_at_a_distance_are_uniform(space, wanted):
    there = [c for c in space.configurations() if distance(c, space.default) == wanted]
    rng = Random(1)
    sampled = [space.solver.at_distance(space.default, wanted, rng) for _ in range(50 * len(there))]

    assert len(there) > 5
    assert chi_square(sampled, there) < critical(len(there) - 1)


def test_numbers_beyond_every_float_are_counted_exactly():
    many = Space(tuple(Option(f"o{at}", SWITCH, False) for at in range(2_000)))

    assert count(many) == Count(2**2_000, is_exact=True)
    assert count(many).in_words == "1.15e+602 (counted exactly)"


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Count(1_920, True), "1,920"),
        (Count(0, True), "0"),
        (Count(10**15, True), "1.00e+15 (counted exactly)"),
        (Count(99_999 * 10**40, True), "1.00e+45 (counted exactly)"),
        (Count(2**100, False), "at most 1.27e+30 (too complex to count)"),
    ],
)
def test_a_count_in_words_says_whether_it_is_one(found, words):
    assert found.in_words == words


@given(exponent=st.integers(15, 6000), leading=st.integers(1000, 9999))
def test_a_large_number_is_rounded_to_three_digits(exponent, leading):
    words = Count(leading * 10 ** (exponent - 3), is_exact=True).in_words

    mantissa, _, written = words.removesuffix(" (counted exactly)").partition("e+")
    assert abs(float(mantissa) * 10.0 ** (int(written) - exponent) - leading / 1000) <= 0.0051


def test_a_diagram_that_grows_too_large_is_given_up():
    rng = Random(4)
    names = [f"o{at}" for at in range(120)]
    texts = [f"at least one of {', '.join(rng.sample(names, 3))}" for _ in range(150)]
    knot = Space.of([Option(name, SWITCH, False) for name in names], texts)

    assert build_diagram(knot.options, knot.constraints, limit_nodes=2_000) is None
    assert count(knot, limit_seconds=0.1) == Count(2**120, is_exact=False)


@given(space=some_spaces())
def test_an_order_has_every_option_once(space):
    names = [option.name for option in space.options]

    assert sorted(close_order(names, [names[:2], names[1:]])) == sorted(names)
