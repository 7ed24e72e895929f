"""What becomes of a comparison as its pairs come in, whatever fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Pair
from sonde.core.records import FailureRecord, Record, SampleRecord
from sonde.core.results import FREE, Failed, Sample, Stage
from sonde.effects.executors.contests import MOST_FLUKES, Contest, PairTaken, due_by_number
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, PairSide, Unpaired
from tests.effects.executors.pair_values import built, order
from tests.values import sample

CRASH = Failed(Stage.RUN, "The benchmark ended with exit code 7.")
KILLED = replace(CRASH, reason="The runner was killed.", is_lasting=False)
BOTH = frozenset(PairSide)
NOBODY: frozenset[PairSide] = frozenset()


def contest(*sharing: PairOrder) -> Contest:
    orders = list(sharing) or [order()]
    return Contest(PairKeys.of(orders[0], built(1, 2)), orders[0], {}, orders)


def tell(
    one: Contest,
    failures: Mapping[PairSide, Failed] | None = None,
    recovered: frozenset[PairSide] = NOBODY,
) -> tuple[Record, ...]:
    """The next pair: these sides fail, and some of them recover."""
    number = one.begin()
    outcomes: dict[PairSide, Sample | Failed] = {side: sample(number) for side in PairSide}
    return one.note(PairTaken(number, outcomes | dict(failures or {}), recovered, FREE, 0.0))


def test_both_samples_of_a_pair_are_stored_at_once():
    one = contest()

    records = tell(one)

    assert one.outcome == (Pair(0, sample(0), sample(0)),)
    assert records == (SampleRecord(one.keys.base, sample(0)), SampleRecord(one.keys.head, sample(0)))


def test_it_is_open_until_the_largest_wish_is_met():
    one = contest(order(pairs=1), order(pairs=2))

    tell(one)
    assert one.is_open(due_by_number)
    tell(one)
    assert not one.is_open(due_by_number)


def test_numbers_go_on_after_those_that_are_stored():
    one = contest()
    one.know([Pair(number, sample(number), sample(number)) for number in (0, 4)])

    assert one.begin() == 5
    assert one.begin() == 6


@pytest.mark.parametrize(
    "sides", [{PairSide.BASE}, {PairSide.HEAD}, {PairSide.BASE, PairSide.HEAD}], ids=["base", "head", "both"]
)
def test_a_side_that_never_succeeded_fails_for_certain(sides):
    one = contest()

    records = tell(one, dict.fromkeys(sides, CRASH))

    failed = [CRASH if side in sides else None for side in PairSide]
    assert one.outcome == Unpaired(*failed)
    assert not one.is_open(due_by_number)
    assert records == tuple(
        FailureRecord(one.keys.of_side(side), 0, CRASH, 0.0) for side in PairSide if side in sides
    )


def test_a_failure_that_does_not_last_is_not_stored():
    one = contest()

    assert tell(one, {PairSide.BASE: CRASH, PairSide.HEAD: KILLED}) == ()
    assert one.outcome == Unpaired(CRASH, KILLED)


@pytest.mark.parametrize("recovered", [BOTH, NOBODY])
def test_a_failure_of_a_side_that_succeeded_before_costs_only_its_pair(recovered):
    one = contest()
    tell(one)

    assert tell(one, {PairSide.HEAD: CRASH}, recovered) == ()
    assert one.is_open(due_by_number)
    tell(one)

    assert isinstance(one.outcome, tuple)
    assert [pair.number for pair in one.outcome] == [0, 2]


def test_a_side_that_recovers_hides_no_failure_of_the_other():
    one = contest()

    records = tell(one, {PairSide.BASE: CRASH, PairSide.HEAD: CRASH}, frozenset({PairSide.HEAD}))

    assert one.outcome == Unpaired(CRASH, None)
    assert records == (FailureRecord(one.keys.base, 0, CRASH, 0.0),)


def test_too_many_flukes_end_it_and_say_nothing_for_good():
    one = contest()
    tell(one)
    for _ in range(MOST_FLUKES):
        assert tell(one, {PairSide.HEAD: CRASH}) == ()
    assert one.is_open(due_by_number)

    assert tell(one, {PairSide.BASE: CRASH}) == ()

    assert isinstance(one.outcome, Unpaired)
    assert one.outcome.base == one.outcome.head
    assert not one.outcome.is_lasting


@given(
    pairs=st.lists(
        st.tuples(st.sets(st.sampled_from(PairSide)), st.sets(st.sampled_from(PairSide))),
        min_size=1,
        max_size=12,
    )
)
def test_whatever_fails_every_whole_pair_is_stored_and_it_ends(pairs):
    one, stored = contest(order(pairs=99)), list[Record]()
    for failing, recovering in pairs:
        if one.is_open(due_by_number):
            stored += tell(one, dict.fromkeys(failing, CRASH), frozenset(recovering & failing))

    samples = [record for record in stored if isinstance(record, SampleRecord)]
    assert len(samples) == 2 * len(one.pairs)
    assert len(one.flukes) <= MOST_FLUKES + 2
    assert isinstance(one.outcome, Unpaired) == (one.failed is not None)
