"""Which configurations there are, against a list of all of them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet
from sonde.methods.pinpointing.shared_steps.belief.variants import Variants
from sonde.space.solver.conflicts import NoValidConfiguration
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches

MANY, NONE = 4096, 0  # how many configurations are listed at the most

FREE = Space((*switches(3), Option("level", (1, 5, 9), 5), Option("method", ("lz", "rle"), "lz")))
ALTERNATIVES = Space.of(
    (
        *switches(2),
        *(Option(name, (False, True), name == "lz") for name in ("lz", "rle", "huff")),
        Option("level", (1, 5, 9), 5),
    ),
    ["exactly one of lz, rle, huff", "o0 implies level >= 5", "not (o1 and huff)"],
)
SPACES = [FREE, ALTERNATIVES]


def variants_of(space: Space, most: int) -> tuple[Alphabet, Variants]:
    alphabet = Alphabet(space)
    return alphabet, Variants(space, alphabet, most)


def all_rows(space, alphabet):
    return [alphabet.row(each) for each in space.configurations()]


def distance(one, other):
    return sum(a != b for a, b in zip(one.tolist(), other.tolist(), strict=True))


def some_rows(alphabet):
    return st.tuples(*(st.integers(0, len(option.values) - 1) for option in alphabet.options)).map(
        lambda values: np.array(values, dtype=np.int64)
    )


def index_of(alphabet, literal):
    return list(map(str, alphabet.literals)).index(literal)


@pytest.mark.parametrize("space", SPACES)
def test_a_space_of_few_configurations_is_listed(space):
    alphabet, variants = variants_of(space, MANY)

    assert variants.listed is not None
    assert sorted(variants.listed.tolist()) == sorted(row.tolist() for row in all_rows(space, alphabet))
    assert variants_of(space, len(variants.listed))[1].listed is not None
    assert variants_of(space, len(variants.listed) - 1)[1].listed is None


@pytest.mark.parametrize("most", [MANY, NONE])
@pytest.mark.parametrize("space", SPACES)
@settings(max_examples=25)
@given(data=st.data())
def test_the_nearest_row_is_valid_and_none_is_nearer(space, most, data):
    alphabet, variants = variants_of(space, most)
    row = data.draw(some_rows(alphabet))

    nearest = variants.nearest(row)

    assert space.is_valid(alphabet.configuration(nearest))
    assert distance(nearest, row) == min(distance(each, row) for each in all_rows(space, alphabet))
    assert variants.is_valid(row) == (distance(nearest, row) == 0)


@pytest.mark.parametrize("most", [MANY, NONE])
@pytest.mark.parametrize("space", SPACES)
@settings(max_examples=25)
@given(data=st.data())
def test_the_nearest_row_with_a_literal_has_it(space, most, data):
    alphabet, variants = variants_of(space, most)
    start = data.draw(st.sampled_from(all_rows(space, alphabet)))
    literal = data.draw(st.integers(0, len(alphabet.literals) - 1))

    found = variants.nearest_with(start, literal)

    having = [row for row in all_rows(space, alphabet) if literal in alphabet.literal_indices(row)]
    assert found is not None
    assert literal in alphabet.literal_indices(found)
    assert space.is_valid(alphabet.configuration(found))
    assert distance(found, start) == min(distance(row, start) for row in having)


@pytest.mark.parametrize("most", [MANY, NONE])
def test_a_literal_that_holds_nowhere_has_no_nearest_row(most):
    space = Space.of(switches(3), ["not o1", "o0 or o2"])
    alphabet, variants = variants_of(space, most)

    assert variants.nearest_with(variants.lowest(), index_of(alphabet, "o1")) is None
    assert variants.nearest_with(variants.lowest(), index_of(alphabet, "o0")) is not None


@pytest.mark.parametrize("most", [MANY, NONE])
def test_the_lowest_has_all_switches_off_and_the_highest_has_them_on(most):
    alphabet, variants = variants_of(FREE, most)

    lowest = alphabet.configuration(variants.lowest()).chosen
    highest = alphabet.configuration(variants.highest()).chosen

    assert lowest == {"o0": False, "o1": False, "o2": False, "level": 5, "method": "lz"}
    assert highest == {"o0": True, "o1": True, "o2": True, "level": 9, "method": "rle"}


@pytest.mark.parametrize("most", [MANY, NONE])
def test_constraints_keep_the_extremes_valid(most):
    alphabet, variants = variants_of(ALTERNATIVES, most)

    for row in (variants.lowest(), variants.highest()):
        assert ALTERNATIVES.is_valid(alphabet.configuration(row))
    assert alphabet.configuration(variants.highest())["o0"]


def test_a_switch_that_is_on_by_default_is_off_in_the_lowest():
    space = Space((Option("a", (False, True), True), Option("b", (True, False), True)))
    alphabet, variants = variants_of(space, MANY)

    assert alphabet.configuration(variants.lowest()).chosen == {"a": False, "b": False}
    assert alphabet.configuration(variants.highest()).chosen == {"a": True, "b": True}


@pytest.mark.parametrize("most", [MANY, NONE])
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("count", [0, 1, 5])
def test_random_rows_are_valid_and_the_rng_decides(space, most, count):
    alphabet, variants = variants_of(space, most)

    rows = variants.at_random(count, Random(4))

    assert len(rows) == count
    assert all(space.is_valid(alphabet.configuration(row)) for row in rows)
    assert [row.tolist() for row in rows] == [row.tolist() for row in variants.at_random(count, Random(4))]


def test_random_rows_of_a_free_space_are_opposites_and_half_of_the_switches_are_on():
    _, variants = variants_of(Space(switches(9)), MANY)

    rows = variants.at_random(6, Random(1))

    for one, other in zip(rows[::2], rows[1::2], strict=True):
        assert (one + other).tolist() == [1] * 9
        assert sorted((int(one.sum()), int(other.sum()))) == [4, 5]


def test_no_more_random_rows_than_there_are():
    space = Space.of(switches(2), ["o0 excludes o1"])

    assert len(variants_of(space, MANY)[1].at_random(9, Random(0))) == 3


@pytest.mark.parametrize("most", [MANY, NONE])
@pytest.mark.parametrize(
    ("term", "kept", "unless"),
    [
        (["!rle"], [], ["rle"]),
        (["!rle", "!huff"], [], ["rle", "huff"]),
        (["o0", "!rle"], ["o0"], ["rle"]),
        (["!o0"], ["!o0"], []),
        (["rle", "!o0"], ["!o0", "rle"], []),
        (["level=9", "!lz"], ["level=9"], ["lz"]),
        (["!o1"], [], ["o1"]),  # it cannot be on together with huff
        ([], [], []),
    ],
)
def test_alternatives_that_must_be_off_become_exceptions(most, term, kept, unless):
    alphabet, variants = variants_of(ALTERNATIVES, most)
    key = tuple(sorted(index_of(alphabet, literal) for literal in term))

    found = variants.with_exceptions(key)

    assert [{str(alphabet.literals[index]) for index in part} for part in found] == [set(kept), set(unless)]


@pytest.mark.parametrize("most", [MANY, NONE])
def test_an_option_that_is_never_on_makes_no_alternatives(most):
    space = Space.of(switches(3), ["not o2"])
    alphabet, variants = variants_of(space, most)

    assert variants.with_exceptions((index_of(alphabet, "!o0"),)) == ((index_of(alphabet, "!o0"),), ())


@pytest.mark.parametrize("most", [MANY, NONE])
@pytest.mark.parametrize("space", SPACES)
def test_denials_become_exceptions(space, most):
    alphabet, variants = variants_of(space, most)
    denials = {
        str(alphabet.literals[int(denied)]): len(alphabet.literals) + place
        for place, denied in enumerate(alphabet.denied)
    }

    assert set(denials) == {"level=1", "level=5", "level=9"}
    level, on = index_of(alphabet, "level=9"), index_of(alphabet, "o0")
    assert variants.with_exceptions((denials["level=9"],)) == ((), (level,))
    assert variants.with_exceptions((on, denials["level=9"])) == ((on,), (level,))


def test_without_constraints_there_are_no_alternatives():
    alphabet, variants = variants_of(FREE, MANY)

    assert variants.with_exceptions((index_of(alphabet, "!o0"),)) == ((index_of(alphabet, "!o0"),), ())


@pytest.mark.parametrize("most", [MANY, NONE])
def test_an_option_of_more_than_two_values_may_be_off(most):
    """It is no switch, so that there is nothing that it would be if it were on."""
    space = Space.of((*switches(2), Option("mode", (False, "fast", "best"), False)), ["o0 implies o1"])
    alphabet, variants = variants_of(space, most)

    assert variants.with_exceptions((index_of(alphabet, "!mode"),)) == ((index_of(alphabet, "!mode"),), ())


@pytest.mark.parametrize("most", [MANY, NONE])
def test_a_contradictory_space_is_refused(most):
    space = Space.of(switches(2), ["o0", "not o0"])

    with pytest.raises(NoValidConfiguration, match="'o0' and 'not o0' cannot both hold"):
        variants_of(space, most)[1].lowest()
