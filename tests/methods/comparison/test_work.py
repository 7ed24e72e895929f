"""What takes longer and does no more work is not called slower."""

from __future__ import annotations

from math import log

import pytest

from sonde.core.findings.comparisons import Case, Compared, CountedWork, Pair, Ratio, Verdict
from sonde.core.options import Configuration
from sonde.core.results import Metric, Sample
from sonde.methods.comparison.work import may_be_the_same_work, with_work

CASE = Case("work", Configuration.of({}))
RATIO = Ratio(log(1.2), log(1.1), log(1.3), 12, 0.001)


def compared(metric: Metric, verdict: Verdict = Verdict.SLOWER) -> Compared:
    return Compared(CASE, metric, 0.05, verdict, "the change is significant", RATIO)


def pairs(cpu: tuple[float, float], wall: tuple[float, float]) -> list[Pair]:
    """Some pairs with these times, base and head."""
    return [
        Pair(
            number,
            *(
                Sample.of(number, {Metric.CPU: c, Metric.WALL: w}, 0.0)
                for c, w in zip(cpu, wall, strict=True)
            ),
        )
        for number in range(3)
    ]


@pytest.mark.parametrize(
    ("base", "head", "verdict"),
    [
        (1_000_000, 1_000_200, Verdict.NO_MORE_WORK),
        (1_000_000, 991_000, Verdict.NO_MORE_WORK),
        (1_000_000, 1_010_000, Verdict.SLOWER),
        (1_000_000, 1_200_000, Verdict.SLOWER),
        (1_000_000, 800_000, Verdict.SLOWER),  # other work
    ],
)
def test_instructions_within_the_threshold_are_the_same_work(base, head, verdict):
    found = with_work(compared(Metric.CPU), CountedWork(base, head), 0.01, [])

    assert found.verdict is verdict
    assert found.work == CountedWork(base, head)


def test_the_reason_says_how_equal_they_are_and_which_set_ups_show_it():
    taken = [*pairs((1.0, 1.2), (1.0, 1.2)), *pairs((1.0, 1.0), (1.0, 1.0))]

    found = with_work(compared(Metric.CPU), CountedWork(1_000_000, 1_000_200), 0.01, taken)

    assert found.reason.startswith("it executes the same number of instructions (+0.02 %), and 3 of 6 pairs")


def test_what_is_faster_without_less_work_is_no_speed_up():
    found = with_work(compared(Metric.CPU, Verdict.FASTER), CountedWork(1_000_000, 999_000), 0.01, [])

    assert found.verdict is Verdict.NO_LESS_WORK


def test_what_depends_on_the_set_up_says_so_whatever_it_counts():
    for head in (1_000_200, 1_200_000):
        found = with_work(compared(Metric.CPU, Verdict.DEPENDS), CountedWork(1_000_000, head), 0.01, [])

        assert found.verdict is Verdict.DEPENDS
        assert f"instructions change by {(head / 1_000_000 - 1) * 100:+.2f} %" in found.reason


def test_what_waits_longer_is_slower_whatever_it_counts():
    assert may_be_the_same_work(compared(Metric.WALL), pairs((1.0, 1.2), (2.0, 2.4)))
    assert not may_be_the_same_work(compared(Metric.WALL), pairs((1.0, 1.0), (2.0, 2.4)))


@pytest.mark.parametrize(
    "verdict",
    [each for each in Verdict if each not in (Verdict.SLOWER, Verdict.FASTER, Verdict.DEPENDS)],
)
def test_only_changes_are_counted(verdict):
    assert not may_be_the_same_work(compared(Metric.CPU, verdict), pairs((1.0, 1.2), (1.0, 1.2)))


@pytest.mark.parametrize("metric", [Metric.INSTRUCTIONS, Metric.MEMORY, Metric.PRINTED])
def test_only_times_are_judged_by_work(metric):
    assert not may_be_the_same_work(compared(metric), pairs((1.0, 1.2), (1.0, 1.2)))
