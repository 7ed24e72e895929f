from __future__ import annotations

import pytest

from sonde.core.findings.pinpoints import Stop, TermChange
from sonde.core.options import Option, Phase
from sonde.core.results import Failed, Measurement, Metric, Result, Sample, Stage
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.search import DemandResult, Program, SampleDemand, SearchProblem
from sonde.space.space import Space
from tests.values import BENCHMARK, failed, measured, revision_id


class Once:
    """Wishes for one point, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[DemandResult] = []

    def run(self, world: SearchProblem) -> Program:
        self.heard += yield [SampleDemand(0, world.space.default)]
        return "it is heard"

    def findings(self) -> tuple[TermChange, ...]:
        return ()

    def noise(self) -> float | None:
        return None


@pytest.mark.parametrize("phase", Phase)
def test_a_build_that_fails_speaks_for_its_revision_if_all_configurations_share_it(phase):
    search = Once()
    space = Space.of([Option("fast", (False, True), False, phase=phase)])
    line = BenchmarkSteps(BENCHMARK, Metric.CPU, (revision_id(0),), (0,))
    planner = PinpointPlanner(line, SearchProblem(1, space, lambda _: (0, 1)), search)

    planner.tell([failed(request.point) for request in planner.ask(1)])

    assert planner.finished
    assert [one.is_whole_revision for one in search.heard] == [phase is Phase.LOAD]


SPACE = Space.of([Option("fast", (False, True), False)])
LINE = BenchmarkSteps(BENCHMARK, Metric.CPU, (revision_id(0),), (0,))


def asked(search: Once) -> PinpointPlanner:
    planner = PinpointPlanner(LINE, SearchProblem(1, SPACE, lambda _: (0, 1)), search)
    planner.ask(1)
    return planner


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (0.0, "The value is not positive: it is 0, so it cannot be compared."),
        (-1.5, "The value is not positive: it is -1.5, so it cannot be compared."),
        (float("nan"), "The value is not finite: it is nan, so it cannot be compared."),
        (float("inf"), "The value is not finite: it is inf, so it cannot be compared."),
    ],
)
def test_values_that_cannot_be_compared_count_as_failed(value, reason):
    search = Once()
    planner = asked(search)
    planner.tell([measured(LINE.point(0, SPACE.default), 1, value)])

    found = planner.pinpointed()

    assert search.heard[0].values == ()
    assert (found.points, found.configurations, found.failed) == (0, 0, 1)
    assert [one.outcome for one in planner.unusable()] == [Failed(Stage.RUN, reason)]
    assert planner.influences().points == 0


def test_a_sample_without_the_metric_counts_as_failed():
    planner = asked(Once())
    planner.tell([Result(LINE.point(0, SPACE.default), Measurement((Sample(0, (), 0.0),)))])

    assert planner.pinpointed().failed == 1
    assert [one.outcome for one in planner.unusable()] == [
        Failed(Stage.RUN, "There is no value of the metric cpu.")
    ]


def test_what_is_positive_or_failed_is_not_among_the_unusable():
    good, bad = asked(Once()), asked(Once())
    good.tell([measured(LINE.point(0, SPACE.default), 1)])
    bad.tell([failed(LINE.point(0, SPACE.default))])

    assert good.unusable() == bad.unusable() == ()
    assert (good.pinpointed().points, bad.pinpointed().points) == (1, 0)


def test_a_search_that_still_waits_has_not_finished():
    planner = asked(Once())
    before = planner.pinpointed().stop
    planner.tell([measured(LINE.point(0, SPACE.default), 1)])

    assert (before, planner.pinpointed().stop) == (Stop.STUCK, Stop.FINISHED)
