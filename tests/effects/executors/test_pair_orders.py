"""What the store knows of pairs."""

from __future__ import annotations

from sonde.campaign.memory_store import MemoryStore
from sonde.core.findings.comparisons import Pair
from sonde.core.records import BuildKey, Built, FailureRecord, Fingerprint, SampleRecord
from sonde.core.results import Failed, Stage
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, Unpaired, forget_unpaired, known_pairs
from tests.effects.executors.pair_values import built, order
from tests.values import sample

CRASH = Failed(Stage.RUN, "The benchmark ended with exit code 7.")
TIMEOUT = Failed(Stage.RUN, "The benchmark did not end within 300 s.", timed_out_after=300.0)
BUILT = built(1, 2, 3)


def keys(wanted: PairOrder) -> PairKeys:
    return PairKeys.of(wanted, BUILT)


def store_pairs(store: MemoryStore, wanted: PairOrder, *numbers: int) -> None:
    for number in numbers:
        samples = sample(number, 1.0 + number), sample(number, 2.0 + number)
        sides = keys(wanted).base, keys(wanted).head
        store.append(*map(SampleRecord, sides, samples))


def test_stored_pairs_are_told_in_order():
    store, wanted = MemoryStore(), order()
    store_pairs(store, wanted, 2, 0, 1)

    known = known_pairs(store, [wanted], BUILT)

    pairs = tuple(
        Pair(number, sample(number, 1.0 + number), sample(number, 2.0 + number)) for number in range(3)
    )
    assert known == {wanted.points: pairs}


def test_half_a_pair_does_not_count():
    store, wanted = MemoryStore(), order()
    store_pairs(store, wanted, 0)
    store.append(SampleRecord(keys(wanted).base, sample(1)), SampleRecord(keys(wanted).head, sample(2)))

    (pairs,) = known_pairs(store, [wanted], BUILT).values()

    assert isinstance(pairs, tuple)
    assert [pair.number for pair in pairs] == [0]


def test_runs_that_were_not_made_in_turn_are_no_pairs():
    store, wanted = MemoryStore(), order()
    for side in (wanted.base, wanted.head):
        store.append(SampleRecord(side.measurement(BUILT[side.build.key]), sample(0)))

    assert known_pairs(store, [wanted], BUILT) == {wanted.points: ()}


def test_pairs_belong_to_both_sides_and_to_their_order():
    store = MemoryStore()
    store_pairs(store, order(1, 2), 0)
    others = [order(2, 1), order(1, 3), order(3, 2), order(1, 1)]

    assert set(known_pairs(store, others, BUILT).values()) == {()}


def test_pairs_belong_to_what_was_built():
    store = MemoryStore()
    store_pairs(store, order(1, 2), 0)
    rebuilt = {**BUILT, BuildKey("build 2"): Built(Fingerprint("other outputs"), 1)}

    assert known_pairs(store, [order(1, 2)], rebuilt) == {order(1, 2).points: ()}


def test_a_failure_of_either_side_is_told():
    store = MemoryStore()
    store_pairs(store, order(1, 2), 0)
    store.append(FailureRecord(keys(order(1, 2)).head, 1, CRASH, 0.0))
    store.append(FailureRecord(keys(order(2, 3)).base, 0, CRASH, 0.0))

    known = known_pairs(store, [order(1, 2), order(2, 3)], BUILT)

    assert known == {
        order(1, 2).points: Unpaired(None, CRASH),
        order(2, 3).points: Unpaired(CRASH, None),
    }


def test_a_failure_for_lack_of_time_does_not_count_when_there_is_more():
    store = MemoryStore()
    store.append(FailureRecord(keys(order()).head, 0, TIMEOUT, 0.0))

    assert known_pairs(store, [order(timeout=300.0)], BUILT) == {order().points: Unpaired(None, TIMEOUT)}
    assert known_pairs(store, [order(timeout=301.0)], BUILT) == {order().points: ()}


def test_failures_can_be_forgotten_and_pairs_stay():
    store = MemoryStore()
    store_pairs(store, order(), 0)
    store.append(FailureRecord(keys(order()).head, 1, CRASH, 0.0))

    assert forget_unpaired(store, [order(), order(1, 3)], BUILT) == 1

    (pairs,) = known_pairs(store, [order()], BUILT).values()
    assert isinstance(pairs, tuple)
    assert len(pairs) == 1
