from __future__ import annotations

from io import StringIO

from rich.console import Console

from sonde.cli.terminal.progress import Progress
from sonde.core.events import BuildBegan, BuildEnded, Limited, Planned, ResultKnown, RunBegan, Warned
from sonde.core.results import Cost, Failed, Result, Stage
from tests.values import measured, point, revision_id


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_one_line_tells_what_runs_how_far_it_is_what_it_cost_and_how_long_it_takes():
    clock = Clock()
    with Progress(Console(file=StringIO()), clock) as progress:
        progress.notice(Planned(4))
        progress.notice(BuildBegan(revision_id(1)))
        clock.now = 30.0
        progress.notice(RunBegan(point(1), 0))
        progress.notice(ResultKnown(measured(point(1), 2), Cost(runs=2, builds=1, seconds=30)))

    assert progress.line() == (
        "1/4 points · 1 build · 2 runs · 30.0 s · about 1 min 30 s left · run 1 of pack at 00000000"
    )


def test_what_is_left_follows_a_pace_that_gets_slower():
    clock = Clock()
    with Progress(Console(file=StringIO()), clock) as progress:
        progress.notice(Planned(8))
        for number, now in enumerate((1.0, 2.0, 12.0, 22.0)):
            clock.now = now
            progress.notice(ResultKnown(measured(point(number), 2), Cost()))

    assert "about 40.0 s left" in progress.line()  # 10 s a point, though it was 5.5 s on average


def test_what_is_left_counts_builds_and_runs_apart_where_the_builds_are_known():
    clock = Clock()
    with Progress(Console(file=StringIO()), clock) as progress:
        progress.notice(Planned(30, builds=10))
        for number in range(5):  # half of the builds come first
            clock.now += 6.0
            progress.notice(BuildEnded(revision_id(number), 6.0))
        for number in range(10):
            clock.now += 1.0
            progress.notice(ResultKnown(measured(point(number), 1), Cost(number + 1, 5, 31.0 + number)))

    assert "about 50.0 s left" in progress.line()  # 5 builds of 6 s, and 20 runs of 1 s


def test_what_is_left_takes_at_least_as_long_as_the_last_point_has_taken_so_far():
    clock = Clock()
    with Progress(Console(file=StringIO()), clock) as progress:
        progress.notice(Planned(5))
        for number in range(4):
            clock.now = number + 1.0
            progress.notice(ResultKnown(measured(point(number), 2), Cost()))
        clock.now = 74.0

    assert "about 1 min 10 s left" in progress.line()


def test_a_log_gets_a_line_now_and_then_and_every_failure():
    clock, log = Clock(), StringIO()
    with Progress(Console(file=log, width=200), clock) as progress:
        progress.notice(Planned(4, frozenset([point(9)])))
        progress.notice(BuildEnded(revision_id(1), 2.0, "The build ended with exit code 2."))
        failed = Result(point(2), Failed(Stage.RUN, "The benchmark ended with exit code 7."), Cost(runs=1))
        progress.notice(ResultKnown(failed, Cost(runs=1)))
        progress.notice(Warned("something is odd"))
        assert log.getvalue().splitlines() == [
            "4 points, 1 of them known",
            "00000000 does not build: The build ended with exit code 2.",
            "pack at 00000000 failed: The benchmark ended with exit code 7.",
            "warning: something is odd",
        ]
        clock.now = 11.0
        progress.notice(BuildBegan(revision_id(3)))
        progress.notice(BuildBegan(revision_id(3)))

    assert log.getvalue().splitlines()[4:] == [
        "2/4 points · 0 builds · 1 run · 11.0 s · about 22.0 s left · building 00000000"
    ]


def test_where_a_campaign_may_end_before_nobody_is_told_how_long_it_takes():
    clock, log = Clock(), StringIO()
    with Progress(Console(file=log, width=200), clock) as progress:
        progress.notice(Planned(6300, is_limit=True))
        clock.now = 8.0
        progress.notice(ResultKnown(measured(point(1), 1), Cost(runs=1)))

    assert log.getvalue().splitlines() == ["at most 6,300 points"]
    assert progress.line() == "1 of at most 6,300 points · 0 builds · 1 run · 8.0 s"


def test_a_limit_of_runs_is_told_in_runs():
    log = StringIO()
    with Progress(Console(file=log, width=200), Clock()) as progress:
        progress.notice(Limited(600))
        progress.notice(ResultKnown(measured(point(1), 1), Cost(runs=1)))

    assert log.getvalue().splitlines() == ["at most 600 runs"]
    assert progress.line() == "1 point · 0 builds · 1 of at most 600 runs · 0.0 s"


def test_where_nobody_knows_how_many_points_there_are_they_are_counted():
    with Progress(Console(file=StringIO()), Clock()) as progress:
        progress.notice(ResultKnown(measured(point(1), 1), Cost(runs=1)))

    assert progress.line() == "1 point · 0 builds · 1 run · 0.0 s"
