"""What moves with a time is told if nearly all pairs show it, and if it is large enough to matter."""

from __future__ import annotations

import pytest

from sonde.core.findings.comparisons import Moved, Pair
from sonde.core.results import Account, Gauges, Metric, Sample
from sonde.methods.comparison.moved import moved_between

QUIET = Account(0.01, 200, 1_000, 0)


def run(number: int, account: Account | None = QUIET, cpu: float = 0.1, memory: float = 1e6) -> Sample:
    values = {Metric.CPU: cpu, Metric.WALL: 0.1, Metric.MEMORY: memory}
    return Sample.of(number, values, 0.0, Gauges(account=account))


def pairs(head: Account | None, cpu: float = 0.1, memory: float = 1e6, count: int = 10) -> list[Pair]:
    return [Pair(at, run(at), run(at, head, cpu, memory)) for at in range(count)]


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        (pairs(QUIET), []),
        (pairs(QUIET, cpu=0.12), [Moved("user time", "s", 0.09, 0.11)]),
        (pairs(Account(0.03, 200, 1_000, 0), cpu=0.12), [Moved("system time", "s", 0.01, 0.03)]),
        (pairs(Account(0.01, 200, 3_000, 0)), [Moved("page faults", "", 1_000, 3_000)]),
        (
            pairs(Account(0.01, 1_200, 1_000, 400)),
            [
                Moved("waits", "", 200, 1_200),
                Moved("page faults that read", "", 0, 400),
            ],
        ),
        (pairs(QUIET, memory=2e6), [Moved("peak memory", "B", 1e6, 2e6)]),
    ],
)
def test_what_moves_is_told(taken, expected):
    assert [(each.name, each.unit) for each in moved_between(taken)] == [
        (each.name, each.unit) for each in expected
    ]
    for found, wanted in zip(moved_between(taken), expected, strict=True):
        assert (found.base, found.head) == pytest.approx((wanted.base, wanted.head))


@pytest.mark.parametrize(
    "head",
    [
        Account(0.011, 200, 1_000, 0),  # a tenth of what takes hardly any time
        Account(0.01, 203, 1_000, 0),
        Account(0.01, 290, 1_000, 90),  # few
        Account(0.01, 200, 1_020, 0),
    ],
)
def test_what_hardly_matters_is_not_told(head):
    assert moved_between(pairs(head)) == ()


def test_what_only_most_pairs_show_is_not_told():
    taken = [*pairs(Account(0.05, 200, 9_000, 0), cpu=0.14, count=8), *pairs(QUIET, cpu=0.09, count=2)]

    assert moved_between(taken) == ()


def test_runs_without_an_account_tell_of_their_memory_only():
    assert [each.name for each in moved_between(pairs(None, cpu=0.2, memory=3e6))] == ["peak memory"]
    assert moved_between([]) == ()
