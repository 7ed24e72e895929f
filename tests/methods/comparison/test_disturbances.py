"""A pair is left out for what the machine did, never for what it measured."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Pair
from sonde.core.results import Gauges, Metric, Sample
from sonde.methods.comparison.disturbances import Unrest, disturbed, due, unrest_in, usable

TIMES = [Metric.CPU, Metric.WALL, Metric.PRINTED]


def run(number: int, pressure: float = 0.0, switches: int = 0, cpu: float = 1.0, wall: float = 1.0) -> Sample:
    values = {Metric.CPU: cpu, Metric.WALL: wall, Metric.PRINTED: cpu, Metric.MEMORY: 1e6}
    return Sample.of(number, values, 0.0, Gauges(switches, pressure))


def calm(*numbers: int) -> list[Pair]:
    return [Pair(number, run(number), run(number)) for number in numbers]


def met_at_head(number: int) -> Pair:
    return Pair(number, run(number), run(number, pressure=0.9, wall=4.0))


def met_at_base(number: int) -> Pair:
    return swapped(met_at_head(number))


def swapped(pair: Pair) -> Pair:
    return Pair(pair.number, pair.head, pair.base)


runs = st.builds(
    run,
    st.just(0),
    pressure=st.floats(0, 1),
    switches=st.integers(0, 5000),
    cpu=st.floats(0, 10),
    wall=st.floats(0, 40),
)


@st.composite
def some_pairs(draw):
    drawn = draw(st.lists(st.tuples(runs, runs), max_size=14))
    return [
        Pair(number, replace(base, number=number), replace(head, number=number))
        for number, (base, head) in enumerate(drawn)
    ]


@pytest.mark.parametrize("metric", TIMES)
def test_a_pair_that_was_met_on_one_side_only_is_disturbed(metric):
    pairs = [*calm(0, 1, 2), met_at_head(3), *calm(4, 5), met_at_base(6), *calm(7, 8)]

    assert disturbed(metric, pairs) == {3, 6}


@pytest.mark.parametrize("metric", [Metric.MEMORY, Metric.INSTRUCTIONS])
def test_what_no_machine_disturbs_is_never_disturbed(metric):
    assert disturbed(metric, [*calm(0, 1, 2, 3), met_at_head(4)]) == frozenset()


@pytest.mark.parametrize("metric", TIMES)
def test_under_a_steady_load_nothing_is_disturbed(metric):
    loaded = [
        Pair(number, run(number, 0.9, 300, wall=3.0), run(number, 0.8 + number / 100, 310, wall=3.1))
        for number in range(10)
    ]

    assert disturbed(metric, loaded) == frozenset()


@pytest.mark.parametrize("metric", TIMES)
def test_a_pair_that_was_met_on_both_sides_is_not_disturbed(metric):
    both = Pair(5, run(5, pressure=0.9, wall=4.0), run(5, pressure=0.9, wall=4.0))

    assert disturbed(metric, [*calm(0, 1, 2, 3, 4), both]) == frozenset()


@given(pairs=some_pairs(), values=st.lists(st.floats(0.001, 10), min_size=28, max_size=28))
def test_the_printed_value_decides_nothing(pairs, values):
    def revalued(sample: Sample, value: float) -> Sample:
        return Sample.of(
            sample.number, {**sample.values, Metric.PRINTED: value}, sample.taken_at, sample.gauges
        )

    others = [
        Pair(pair.number, revalued(pair.base, values[2 * n]), revalued(pair.head, values[2 * n + 1]))
        for n, pair in enumerate(pairs)
    ]

    assert disturbed(Metric.PRINTED, others) == disturbed(Metric.PRINTED, pairs)


@given(pairs=some_pairs(), metric=st.sampled_from(TIMES))
def test_base_and_head_are_treated_alike(pairs, metric):
    assert disturbed(metric, [swapped(pair) for pair in pairs]) == disturbed(metric, pairs)


@given(pairs=some_pairs(), metric=st.sampled_from(TIMES), data=st.data())
def test_sides_of_single_pairs_may_be_swapped_too_unless_one_side_is_unquiet(pairs, metric, data):
    """So that signs are fair coins where nothing has changed, whatever is left out."""
    flips = data.draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    flipped = [swapped(pair) if flip else pair for pair, flip in zip(pairs, flips, strict=True)]
    found = {disturbed(metric, pairs), disturbed(metric, flipped)}

    assert len(found - {frozenset()}) <= 1


@given(pairs=some_pairs(), metric=st.sampled_from(TIMES), data=st.data())
def test_the_order_of_pairs_does_not_matter(pairs, metric, data):
    assert disturbed(metric, data.draw(st.permutations(pairs))) == disturbed(metric, pairs)


@pytest.mark.parametrize("metric", TIMES)
def test_times_that_no_clock_can_tell_do_not_make_the_order_matter(metric):
    """They gave infinitely many switches a second; a median of what is no number depends on the order."""
    tiny = Pair(2, run(2, switches=1, wall=2e-309), run(2, switches=2, wall=1e-308))
    pairs = [*calm(0), Pair(1, run(1, wall=0.0), run(1, switches=1001)), tiny, *calm(3)]

    assert {disturbed(metric, order) for order in permutations(pairs)} == {disturbed(metric, pairs)}


@pytest.mark.parametrize("metric", TIMES)
def test_a_side_that_is_unquiet_by_itself_is_not_hidden(metric):
    often = [met_at_head(number) for number in range(20, 23)]

    assert disturbed(metric, [*calm(*range(20)), *often[:2]]) == {20, 21}
    assert disturbed(metric, [*calm(*range(20)), *often]) == frozenset()


def test_a_disturbed_pair_is_repeated():
    pairs = [*calm(0, 1, 2, 3, 4), met_at_head(5)]

    assert due(Metric.CPU, calm(0, 1, 2, 3), 6) == 2
    assert due(Metric.CPU, pairs, 6) == 1
    assert due(Metric.CPU, [*pairs, *calm(6)], 6) == 0


@given(pairs=some_pairs(), metric=st.sampled_from(list(Metric)), wanted=st.integers(1, 14))
def test_repeating_ends_and_then_there_are_enough_to_use(pairs, metric, wanted):
    missing = due(metric, pairs, wanted)

    assert 0 <= missing <= wanted
    assert not missing or len(pairs) + missing <= wanted + -(-wanted // 2)
    if not missing:
        assert len(usable(metric, pairs, wanted)) >= wanted


@given(pairs=some_pairs(), metric=st.sampled_from(TIMES), wanted=st.integers(1, 14))
def test_undisturbed_pairs_are_always_used_and_others_only_if_need_be(pairs, metric, wanted):
    used = usable(metric, pairs, wanted)
    left_out = disturbed(metric, pairs)

    assert [pair for pair in used if pair.number not in left_out] == [
        pair for pair in pairs if pair.number not in left_out
    ]
    assert list(used) == [pair for pair in pairs if pair in used]
    assert len(used) == max(len(pairs) - len(left_out), min(wanted, len(pairs)))


def test_unrest_counts_what_was_disturbed_and_what_of_it_had_to_be_kept():
    pairs = [*calm(0, 1, 2, 3, 4, 5), met_at_head(6), met_at_base(7)]

    enough, too_few = unrest_in(Metric.CPU, pairs, 6), unrest_in(Metric.CPU, pairs, 7)

    assert (enough.pairs, enough.disturbed, enough.kept) == (8, 2, 0)
    assert (too_few.disturbed, too_few.kept) == (2, 1)


def test_unrest_grows_with_the_scatter_of_ratios():
    quiet = [Pair(n, run(n), run(n, cpu=1 + 0.01 * (n % 3))) for n in range(9)]
    noisy = [Pair(n, run(n), run(n, cpu=1 + 0.2 * (n % 3))) for n in range(9)]

    assert unrest_in(Metric.CPU, quiet, 9).deviation < 0.02
    assert unrest_in(Metric.CPU, noisy, 9).deviation > 0.2


def test_unrest_is_said_in_words():
    assert Unrest(40, 0, 0, 0.094, 0.1).in_words == "equal runs differ by about 9 %"
    assert (Unrest(40, 3, 0, 0.02, 0.1) + Unrest(20, 2, 1, 0.094, 0.45)).in_words == (
        "equal runs differ by about 9 %, processes wait for a CPU 45 % of the time and 5 of "
        "60 pairs were disturbed"
    )


@given(pairs=some_pairs(), metric=st.sampled_from(TIMES))
def test_unrest_is_told_whatever_was_measured(pairs, metric):
    unrest = unrest_in(metric, pairs, 6)

    assert unrest.deviation >= 0
    assert 0 <= unrest.pressure <= 1
