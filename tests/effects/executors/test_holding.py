"""On which processor a pair runs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from sonde.core.findings.comparisons import Pair
from sonde.core.results import Metric, Sample
from sonde.effects.executors.holding import draw_processor, held_on


def pair(number=0, base_cpu=0.05, head_cpu=0.05, wall=0.05):
    base, head = (
        Sample.of(number, {Metric.CPU: cpu, Metric.WALL: wall}, 0.0) for cpu in (base_cpu, head_cpu)
    )
    return Pair(number, base, head)


def test_the_first_pair_is_not_held():
    assert draw_processor(Metric.CPU, [], random.Random(1)) is None


@pytest.mark.parametrize("metric", [Metric.CPU, Metric.WALL, Metric.PRINTED], ids=lambda each: each.value)
def test_times_of_further_pairs_are_taken_on_all_processors_in_turn(metric):
    rng = random.Random(1)
    drawn = {draw_processor(metric, [pair()], rng) for _ in range(200)}

    assert drawn == os.sched_getaffinity(0)


@pytest.mark.parametrize("metric", [Metric.MEMORY, Metric.INSTRUCTIONS], ids=lambda each: each.value)
def test_what_is_no_time_is_not_held(metric):
    assert draw_processor(metric, [pair()], random.Random(1)) is None


@pytest.mark.parametrize("side", ["base_cpu", "head_cpu"])
def test_what_works_in_parallel_on_either_side_is_not_held(side):
    pairs = [pair(**{side: 0.08}), pair(1)]

    assert draw_processor(Metric.CPU, pairs, random.Random(1)) is None


def test_what_does_not_tell_its_times_is_not_held():
    sample = Sample.of(0, {Metric.PRINTED: 3.0}, 0.0)

    assert draw_processor(Metric.PRINTED, [Pair(0, sample, sample)], random.Random(1)) is None


def test_processes_started_meanwhile_stay_on_the_processor():
    words = [sys.executable, "-c", "import os; print(*os.sched_getaffinity(0))"]
    last = max(os.sched_getaffinity(0))
    with held_on(last):
        held = subprocess.run(words, capture_output=True, text=True, check=True).stdout

    assert held.split() == [str(last)]


def test_other_threads_and_later_processes_are_free_again():
    allowed = os.sched_getaffinity(0)
    with ThreadPoolExecutor(1) as other:
        other.submit(os.getpid).result()
        with held_on(min(allowed)):
            assert other.submit(os.sched_getaffinity, 0).result() == allowed

    assert os.sched_getaffinity(0) == allowed


def test_no_processor_means_any():
    allowed = os.sched_getaffinity(0)
    with held_on(None):
        assert os.sched_getaffinity(0) == allowed
