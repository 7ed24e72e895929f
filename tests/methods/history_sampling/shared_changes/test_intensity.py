"""Where changes happen, learnt from gaps of many series."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sonde.methods.history_sampling.facts import Array
from sonde.methods.history_sampling.shared_changes.intensity import ROUNDS, Intensity, learn_intensity
from tests.methods.history_sampling.made_series import SOME_EXAMPLES


@st.composite
def some_gaps(draw):
    """The length of a history, gaps in it, and how surely each holds a change."""
    revisions = draw(st.integers(2, 40))
    firsts = draw(st.lists(st.integers(0, revisions - 2), min_size=1, max_size=12))
    gaps = [(first, draw(st.integers(first + 1, revisions - 1))) for first in firsts]
    changes = [draw(st.floats(0.0, 1.0)) for _ in gaps]
    first, last = np.array(gaps).T
    return revisions, first, last, np.array(changes)


def by_plain_loops(revisions: int, first: Array, last: Array, changes: Array, unshared: float) -> list[float]:
    density = [1 / revisions] * revisions
    for _ in range(ROUNDS):
        shared = [0.0] * revisions
        for gap in range(len(changes)):
            inside = range(int(first[gap]) + 1, int(last[gap]) + 1)
            whole = sum(density[position] for position in inside)
            for position in inside:
                shared[position] += changes[gap] * density[position] / whole
        total = sum(shared)
        density = [(1 - unshared) * each / total + unshared / revisions for each in shared]
    return density


@SOME_EXAMPLES
@given(gaps=some_gaps(), unshared=st.floats(0.05, 1.0))
def test_it_equals_the_plain_double_loop(gaps, unshared):
    revisions, first, last, changes = gaps
    changes = changes + 1e-6

    learnt = learn_intensity(first, last, changes, revisions, unshared)

    expected = by_plain_loops(revisions, first, last, changes, unshared)
    np.testing.assert_allclose(np.diff(learnt.until), expected, atol=1e-9)


@given(gaps=some_gaps(), unshared=st.floats(0.05, 1.0))
@example(gaps=(2, np.array([0]), np.array([1]), np.array([5e-324])), unshared=0.5)
def test_it_is_a_distribution_in_which_nothing_is_impossible(gaps, unshared):
    revisions, first, last, changes = gaps

    learnt = learn_intensity(first, last, changes, revisions, unshared)

    assert len(learnt.until) == revisions + 1
    assert learnt.until[0] == 0
    assert learnt.until[-1] == pytest.approx(1)
    assert (np.diff(learnt.until) >= 0.99 * unshared / revisions).all()


@given(gaps=some_gaps())
def test_without_changes_it_is_even(gaps):
    revisions, first, last, changes = gaps

    learnt = learn_intensity(first, last, np.zeros(len(changes)), revisions, 0.3)

    np.testing.assert_allclose(learnt.until, Intensity.even(revisions).until)
    np.testing.assert_allclose(np.diff(learnt.until), 1 / revisions)


@given(
    planted=st.integers(60, 540),
    series=st.integers(15, 40),
    width=st.integers(30, 60),
    seed=st.integers(0, 9),
)
def test_a_change_that_all_share_gets_most_of_the_mass(planted, series, width, seed):
    rng = np.random.default_rng(seed)
    before = rng.integers(1, width, series)
    first, last = planted - before, planted - before + width

    learnt = learn_intensity(first, last, np.ones(series), 600, 0.3)

    around = np.array([planted - width // 3]), np.array([planted + width // 3])
    assert learnt.between(*around)[0] > 0.5
    # It is highest where all gaps overlap, and the planted change lies there.
    assert first.max() < np.argmax(np.diff(learnt.until).round(9)) <= last.min()


@given(revisions=st.integers(1, 50), data=st.data())
def test_what_lies_between_is_behind_the_first_and_up_to_the_last(revisions, data):
    shares = np.array(data.draw(st.lists(st.floats(0.0, 1.0), min_size=revisions, max_size=revisions)))
    intensity = Intensity(np.concatenate([[0.0], np.cumsum(shares)]))
    first = data.draw(st.integers(0, revisions - 1))
    last = data.draw(st.integers(first, revisions - 1))

    between = intensity.between(np.array([first]), np.array([last]))

    assert between[0] == pytest.approx(sum(shares[first + 1 : last + 1]), abs=1e-9)
