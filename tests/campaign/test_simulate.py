"""Simulated subjects: what a run gives is what was planted."""

from __future__ import annotations

from math import exp, log
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.simulate import CORE, SimulatedChange, SimulatedSubject, SimulateExecutor
from sonde.core.options import Configuration, Literal, Option, Term
from sonde.core.points import Point, Request
from sonde.core.results import Failed, Measurement, Metric, Stage
from sonde.core.revisions import RevisionId
from sonde.space.space import Space
from tests.conformance.executors import (
    a_closed_execution_can_be_followed_by_another,
    a_failing_point_does_not_stop_the_others,
    a_repeated_request_costs_nothing,
    last_results,
    more_runs_are_added_to_those_known,
    results_hold_all_samples_in_the_end,
)

SPACE = Space((Option("checksum", (False, True), False), Option("level", (1, 5, 9), 1)))
CHECKED: Term = frozenset({Literal("checksum", True)})
BARE_9: Term = frozenset({Literal("checksum", False), Literal("level", 9)})


def subject(**changed) -> SimulatedSubject:
    return SimulatedSubject(
        **{
            "space": SPACE,
            "revisions": 20,
            "influences": {CORE: 1.0, CHECKED: 0.5, BARE_9: 2.0},
            "changes": (
                SimulatedChange(5, CHECKED, 2.0),
                SimulatedChange(8, BARE_9, 0.25),
                SimulatedChange(12, CHECKED, 3.0),
            ),
            "failing": frozenset({3}),
            **changed,
        }
    )


def configuration(checksum: bool, level: int) -> Configuration:
    return Configuration.of({"checksum": checksum, "level": level})


def point(revision: int, checksum: bool = True, level: int = 1) -> Point:
    return Point(RevisionId(str(revision)), configuration(checksum, level), "pack")


@pytest.mark.parametrize(
    ("revision", "checksum", "level", "value"),
    [
        (4, False, 1, 1.0),
        (4, True, 9, 1.5),
        (5, True, 9, 2.0),
        (12, True, 1, 4.0),
        (7, False, 9, 3.0),
        (8, False, 9, 1.5),
        (19, False, 5, 1.0),
    ],
)
def test_a_value_is_the_sum_of_the_influences_that_hold(revision, checksum, level, value):
    assert subject().value(revision, configuration(checksum, level)) == pytest.approx(value)


def test_a_step_is_seen_where_its_term_holds():
    assert subject().step(8, configuration(False, 9)) == pytest.approx(log(1.5 / 3))
    assert subject().step(8, configuration(True, 9)) == 0


def test_a_run_without_noise_gives_the_value_and_a_failing_revision_does_not_build():
    results = last_results(
        SimulateExecutor(subject(), Metric.CPU), [Request(point(12), 2), Request(point(3), 1)]
    )

    measured, failed = results[point(12)][-1].outcome, results[point(3)][-1].outcome
    assert isinstance(measured, Measurement)
    assert [sample.values[Metric.CPU] for sample in measured.samples] == pytest.approx([4.0, 4.0])
    assert isinstance(failed, Failed)
    assert failed.stage is Stage.BUILD
    assert results[point(3)][-1].cost.builds == 1


def test_noise_is_multiplicative_and_as_large_as_it_says():
    executor = SimulateExecutor(subject(noise=0.1), Metric.CPU, seed=3)
    outcome = last_results(executor, [Request(point(12), 400)])[point(12)][-1].outcome

    assert isinstance(outcome, Measurement)
    logarithms = [log(sample.values[Metric.CPU]) for sample in outcome.samples]
    assert exp(fmean(logarithms)) == pytest.approx(4.0, rel=0.03)
    assert stdev(logarithms) == pytest.approx(0.1, rel=0.15)


@given(order=st.permutations(range(4, 9)), seed=st.integers(0, 50))
def test_the_same_seed_gives_the_same_runs_whatever_the_order(order, seed):
    def values(revisions, runs):
        executor = SimulateExecutor(subject(noise=0.1), Metric.CPU, seed)
        requests = [Request(point(revision), count) for count in runs for revision in revisions]
        results = last_results(executor, requests)
        return {place: results[place][-1].outcome for place in results}

    assert values(range(4, 9), [2]) == values(order, [1, 2])
    assert values(range(4, 9), [2]) != values(range(4, 9), [1])


@pytest.mark.parametrize(
    "changed",
    [
        {"revisions": 0},
        {"noise": -0.1},
        {"noise": float("nan")},
        {"influences": {CHECKED: 1.0}},
        {"influences": {CORE: 0.0}},
        {"influences": {CORE: 1.0, CHECKED: -1.0, BARE_9: 1.0}},
        {"influences": {CORE: 1.0, frozenset({Literal("level", 2)}): 1.0}},
        {"influences": {CORE: 1.0, frozenset({Literal("colour", True)}): 1.0}},
        {"changes": (SimulatedChange(0, CHECKED, 2.0),)},
        {"changes": (SimulatedChange(20, CHECKED, 2.0),)},
        {"changes": (SimulatedChange(5, CORE, 0.0),)},
        {"changes": (SimulatedChange(5, frozenset({Literal("level", 9)}), 2.0),)},
    ],
)
def test_a_subject_that_makes_no_sense_is_refused(changed):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        subject(**changed)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_it_is_an_executor(noise):
    def make():
        return SimulateExecutor(subject(noise=noise), Metric.CPU, seed=1)

    good = [Request(point(revision), 2) for revision in range(4, 7)]
    results_hold_all_samples_in_the_end(make(), good)
    a_failing_point_does_not_stop_the_others(make(), Request(point(3), 2), good)
    a_failing_point_does_not_stop_the_others(make(), Request(point(99), 2), good)
    a_repeated_request_costs_nothing(make(), good)
    more_runs_are_added_to_those_known(make(), point(4))
    a_closed_execution_can_be_followed_by_another(make(), good)
