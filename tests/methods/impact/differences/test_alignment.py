from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.differences.alignment import align

words = st.lists(st.sampled_from("abcdefgh"), max_size=20)


@given(words, words)
def test_pairs_are_equal_and_rise_on_both_sides(old, new):
    pairs = align(old, new)

    assert all(old[a] == new[b] for a, b in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(words)
def test_a_sequence_corresponds_to_itself(sequence):
    assert align(sequence, sequence) == [(n, n) for n in range(len(sequence))]


@given(words, words, st.integers(0, 20))
def test_what_is_inserted_is_all_that_has_no_partner(old, inserted, at):
    marked = ["+" + each for each in inserted]
    new = [*old[:at], *marked, *old[at:]]

    assert len(align(old, new)) == len(old)


def test_a_moved_unique_element_costs_no_more_than_itself():
    assert len(align("abcdef", "bcdaef")) == 5
