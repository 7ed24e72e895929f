"""The two exploitations of a term: keep it and select among the rest, or vary half of it."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Literal, Option
from sonde.space.samplers.extremes import lowest
from sonde.space.samplers.keep_term import keep_term
from sonde.space.samplers.vary_term import vary_term
from sonde.space.space import Space
from tests.space.samplers.spaces import CONSTRAINED, SWITCH, small_spaces, some_terms, valid_of

FREE = Space(tuple(Option(name, SWITCH, False) for name in "abcdefgh"))
MANY = 10_000


def has(configuration, term):
    return all(configuration[literal.option] == literal.value for literal in term)


def smallest_with(space, term):
    """The valid configurations with the term that select the least; several can be equally small."""
    valid = [each for each in valid_of(space) if has(each, term)]

    def size(each):
        return sum(each[option.name] != lowest(option) for option in space.options)

    return [each for each in valid if size(each) == min(map(size, valid))]


def difference(left, right, options):
    return sum(left[name] != right[name] for name in options)


@given(space=small_spaces(), data=st.data(), seed=st.integers(0, 9))
def test_kept_terms_select_all_that_differs_in_at_most_half_of_the_rest(space, data, seed):
    term = data.draw(some_terms(space))
    others = [option.name for option in space.options if option.name not in {each.option for each in term}]
    found = set(keep_term(space, term, MANY, Random(seed)))
    expected = [
        {
            each
            for each in valid_of(space)
            if has(each, term) and difference(each, origin, others) <= len(others) // 2
        }
        for origin in smallest_with(space, term)
    ]

    assert found in expected if expected else not found


@given(space=small_spaces(), data=st.data(), seed=st.integers(0, 9))
def test_varied_terms_differ_in_at_most_half_and_elsewhere_only_where_they_must(space, data, seed):
    term = data.draw(some_terms(space))
    own = [each.option for each in term]
    rest = [option.name for option in space.options if option.name not in own]
    found = vary_term(space, term, MANY, Random(seed))
    answers = []
    for origin in smallest_with(space, term):
        least: dict[object, int] = {}
        for each in valid_of(space):
            if 1 <= difference(each, origin, own) <= max(1, len(own) // 2):
                pattern = tuple(each[name] for name in own)
                least[pattern] = min(difference(each, origin, rest), least.get(pattern, len(rest)))
        answers.append(
            {tuple(each[name] for name in own): difference(each, origin, rest) for each in found} == least
        )

    assert any(answers) if answers else not found


def test_literals_that_are_off_or_a_value_are_kept_and_varied_too():
    term = frozenset({Literal("level", 9), Literal("quiet", False), Literal("force", True)})

    kept = keep_term(CONSTRAINED, term, 20, Random(3))
    varied = vary_term(CONSTRAINED, term, 20, Random(3))

    assert len(kept) == 20
    assert all(has(each, term) for each in kept)
    # A force must have level 9, so only force itself and quiet can change alone.
    assert {(each["level"], each["quiet"], each["force"]) for each in varied} == {
        (9, True, True),
        (9, False, False),
    }


def test_a_term_of_one_literal_is_varied_to_its_contrast():
    assert [str(each) for each in vary_term(FREE, frozenset({Literal("c", True)}), 9, Random(1))] == [
        "!a,!b,!c,!d,!e,!f,!g,!h"
    ]


def test_the_empty_term_keeps_nothing_and_varies_nothing():
    assert vary_term(FREE, frozenset(), 9, Random(1)) == ()
    assert len(keep_term(FREE, frozenset(), MANY, Random(1))) == 163  # at most 4 of 8: 1 + 8 + 28 + 56 + 70


def test_an_impossible_term_gives_nothing():
    term = frozenset({Literal("fast", True), Literal("strong", True)})

    assert keep_term(CONSTRAINED, term, 5, Random(1)) == vary_term(CONSTRAINED, term, 5, Random(1)) == ()


def test_an_alternative_that_goes_brings_another_in():
    varied = vary_term(CONSTRAINED, frozenset({Literal("strong", True)}), 9, Random(1))

    assert len(varied) == 1
    assert varied[0]["fast"] or varied[0]["tiny"]
