from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.campaign.budget import Budget, Points, RunBudget, Seconds, Share
from sonde.campaign.loop import CampaignEnding
from sonde.core.findings.pinpoints import Ground, Pinpointed, Stop
from sonde.core.results import FREE, Metric
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.search import SearchProblem
from sonde.space.space import Space
from sonde.workflows.pinpoint.endings import with_ending
from sonde.workflows.pinpoint.searching import limit_of
from sonde.workflows.pinpoint.worlds import BenchmarkSearch
from tests.values import BENCHMARK


def place(points: int) -> BenchmarkSearch:
    line = BenchmarkSteps(BENCHMARK, Metric.CPU, (), ())
    world = SearchProblem(0, Space(()), lambda _: (0, 0))
    return BenchmarkSearch(
        line, world, Ground(revisions=100, steps=50, configurations=points // 100, points=points)
    )


@pytest.mark.parametrize(
    ("budget", "limit"),
    [
        (None, Points(630 + 150)),  # the usual share, and the least that tells anything
        (Share(0.1), Points(1260 + 100)),
        (Share(0.0001), Points(4 + 4)),
        (RunBudget(200), RunBudget(200)),
        (Seconds(60), Seconds(60)),
    ],
)
def test_a_share_is_one_of_all_points(budget: Budget | None, limit: Budget):
    assert limit_of(budget, [place(12_600), place(1_000)]) == limit


def test_a_space_may_have_more_points_than_any_float():
    limit = limit_of(Share(0.5), [place(10**400)])

    assert limit == Points(5 * 10**399)


def test_a_search_that_has_not_finished_ends_as_the_campaign_does():
    finished = Pinpointed(BENCHMARK, Metric.CPU, (), None, 9, 3, 0, "nothing is left")
    waiting = replace(finished, ending="", stop=Stop.STUCK)
    spent = CampaignEnding("the budget of 9 points is spent", FREE, is_budget_spent=True)
    stuck = CampaignEnding("nothing more can be measured", FREE)

    assert with_ending(finished, spent) == finished
    assert with_ending(waiting, spent) == replace(waiting, ending=spent.reason, stop=Stop.BUDGET)
    assert with_ending(waiting, stuck) == replace(waiting, ending=stuck.reason)
