"""When a failing run is believed."""

from __future__ import annotations

import pytest

from sonde.campaign.memory_store import MemoryStore
from sonde.core.records import FailureRecord, MeasurementKey, SampleRecord
from sonde.core.results import Failed, Stage
from sonde.effects.executors.repeating import Failing, failing_among
from tests.values import sample

KEY, OTHER = MeasurementKey("a"), MeasurementKey("b")
EXIT = Failed(Stage.RUN, "The benchmark ended with exit code 7.")
LATE = Failed(Stage.RUN, "The benchmark did not end within 20 s.", timed_out_after=20.0)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


def after(store: MemoryStore, *outcomes: Failed | None) -> Failing:
    """What is known after these runs; None is one that succeeds."""
    for number, failed in enumerate(outcomes):
        if failed is None:
            store.append(SampleRecord(KEY, sample(number)))
        else:
            store.append(FailureRecord(KEY, number, failed, 0.0))
    return failing_among(store, [KEY, OTHER])[KEY]


def test_one_failure_is_in_doubt_and_two_are_believed(store):
    once = after(store, EXIT)
    twice = after(store, EXIT, EXIT)

    assert once.is_doubtful
    assert once.next_number == 1
    assert not twice.is_doubtful
    assert twice.failed == EXIT
    assert OTHER not in failing_among(store, [KEY, OTHER])


@pytest.mark.parametrize("outcomes", [(EXIT, None), (None, EXIT), (None, EXIT, EXIT)])
def test_a_failure_beside_a_success_says_nothing_of_the_next_time(store, outcomes):
    known = after(store, *outcomes)

    assert not known.is_doubtful
    assert known.failed.reason == "Some runs fail: The benchmark ended with exit code 7."
    assert not known.failed.is_lasting


def test_what_took_all_its_time_is_not_run_again(store):
    known = after(store, LATE)

    assert not known.is_doubtful
    assert known.failed.is_lasting
