"""T-wise sampling: what it must cover is what the plain loop over all configurations finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.samplers.t_wise import pair_wise, t_wise
from sonde.space.space import Space
from tests.space.samplers.spaces import CONSTRAINED, SWITCH, spaces_with_samples, tuples_of, valid_of


@given(drawn=spaces_with_samples(), strength=st.integers(1, 4))
def test_every_valid_tuple_is_covered(drawn, strength):
    space, sampled = drawn
    found = t_wise(space, strength, sampled)

    assert tuples_of([*found, *sampled], strength) == tuples_of(valid_of(space), strength)


@given(drawn=spaces_with_samples(), strength=st.integers(1, 3))
def test_every_configuration_covers_something_new(drawn, strength):
    space, sampled = drawn
    covered = tuples_of(sampled, strength)
    for configuration in t_wise(space, strength, sampled):
        own = tuples_of([configuration], strength)

        assert own - covered
        covered |= own


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_a_constrained_space_is_covered_by_few(strength):
    found = t_wise(CONSTRAINED, strength)

    assert tuples_of(found, strength) == tuples_of(valid_of(CONSTRAINED), strength)
    assert len(found) <= (3, 12, 36)[strength - 1]


def test_what_is_covered_is_not_covered_again():
    assert pair_wise(CONSTRAINED, pair_wise(CONSTRAINED)) == ()


def test_pairs_of_many_options_need_few_configurations():
    space = Space(tuple(Option(f"o{number:02}", SWITCH, False) for number in range(64)))
    found = pair_wise(space)

    assert tuples_of(found, 2) == tuples_of(found, 2) | {
        frozenset({("o00", left), ("o63", right)}) for left in SWITCH for right in SWITCH
    }
    assert len(tuples_of(found, 2)) == 64 * 63 // 2 * 4
    assert len(found) <= 16


def test_a_strength_beyond_the_options_gives_every_configuration():
    space = Space.of([Option(name, SWITCH, False) for name in "abc"], ("a implies b",))

    assert set(t_wise(space, 9)) == set(space.configurations())
