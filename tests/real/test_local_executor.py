"""The local executor keeps the promises of every executor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sonde.core.events import Event
from sonde.core.points import Point, Request
from sonde.core.results import Failed
from sonde.effects.executors.local import LocalExecutor
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import open_project
from tests.conformance.executors import (
    a_closed_execution_can_be_followed_by_another,
    a_failing_point_does_not_stop_the_others,
    a_repeated_request_costs_nothing,
    last_results,
    more_runs_are_added_to_those_known,
    results_hold_all_samples_in_the_end,
)
from tests.real.subjects import (
    BROKEN,
    CHANGED,
    CRASHING,
    FIRST,
    LAST,
    README_ONLY,
    make_subject,
    write_project,
)

pytestmark = pytest.mark.needs("git", "bwrap")


class Silence:
    def notice(self, event: Event) -> None:
        pass


@pytest.fixture
def tools(tmp_path) -> Iterator[ProjectTools]:
    write_project(tmp_path)
    make_subject(tmp_path)
    project = open_project(tmp_path)
    with open_tools(project, project.history(""), ["work"], is_sandboxed=True) as tools:
        yield tools


@pytest.fixture
def executor(tools) -> Iterator[LocalExecutor]:
    with tools.executor(Silence()) as executor:
        yield executor


@pytest.fixture
def point(tools):
    default = tools.project.file.space.default
    return lambda position: Point(tools.history[position].id, default, "work")


def test_results_hold_all_samples_in_the_end(tools, executor, point):
    requests = [Request(point(position), 2) for position in (FIRST, CHANGED, LAST)]

    results_hold_all_samples_in_the_end(executor, requests, tools.store.append)


@pytest.mark.parametrize("bad", [BROKEN, CRASHING])
def test_a_failing_point_does_not_stop_the_others(tools, executor, point, bad):
    good = [Request(point(FIRST), 2), Request(point(LAST), 1)]

    a_failing_point_does_not_stop_the_others(executor, Request(point(bad), 2), good, tools.store.append)


def test_a_repeated_request_costs_nothing(tools, executor, point):
    requests = [Request(point(FIRST), 2), Request(point(CHANGED), 2)]

    a_repeated_request_costs_nothing(executor, requests, tools.store.append)


def test_more_runs_are_added_to_those_known(tools, executor, point):
    more_runs_are_added_to_those_known(executor, point(FIRST), tools.store.append)


def test_a_closed_execution_can_be_followed_by_another(tools, executor, point):
    requests = [Request(point(FIRST), 3), Request(point(CHANGED), 3)]

    a_closed_execution_can_be_followed_by_another(executor, requests, tools.store.append)


def test_twins_in_one_batch_share_their_runs(tools, executor, point):
    twins = [Request(point(FIRST), 2), Request(point(README_ONLY), 3)]

    results = last_results(executor, twins, tools.store.append)

    assert sum(result.cost.runs for of_point in results.values() for result in of_point) == 3
    assert sum(result.cost.builds for of_point in results.values() for result in of_point) == 1
    outcomes = [results[request.point][-1].outcome for request in twins]
    assert not any(isinstance(outcome, Failed) for outcome in outcomes)


def test_points_take_turns(tools, executor, point):
    requests = [Request(point(position), 4) for position in (FIRST, CHANGED, LAST)]
    order = []
    for observation in executor.execute(requests):
        tools.store.append(*observation.records)
        order += [observation.result.point] if observation.result else []

    rounds = [set(order[start : start + 3]) for start in range(0, 12, 3)]
    assert rounds == [{request.point for request in requests}] * 4
