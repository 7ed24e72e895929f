from __future__ import annotations

import pytest

from sonde.campaign.budget import Budget, RunBudget, Seconds
from sonde.core.events import BuildEnded, Event, ResultKnown, Warned
from sonde.core.findings.pinpoints import Ground
from sonde.core.findings.plans import Effort, PinpointPlan, Sufficiency
from sonde.core.results import Cost
from sonde.workflows.budget_warnings import BudgetWatch, warn_of_budget
from tests.values import measured, point, revision_id

# Nobody knows how long a build or a run takes.
PLAN = PinpointPlan({"pack": Ground(100, 50, 8, 800)}, 100, True, Effort(20, 100), "60 s", None)


class Listener:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def notice(self, event: Event) -> None:
        self.events.append(event)

    @property
    def warnings(self) -> list[str]:
        return [event.message for event in self.events if isinstance(event, Warned)]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def watch(budget: Budget, seconds_a_run: float, plan: PinpointPlan = PLAN) -> Listener:
    """What is heard of a campaign that begins with a build and ten runs."""
    listener, clock = Listener(), Clock()
    watching = BudgetWatch(listener, budget, plan, clock)
    watching.notice(BuildEnded(revision_id(0), 1.0))
    for number in range(10):
        clock.now = 1.0 + (number + 1) * seconds_a_run
        spent = Cost(runs=number + 1, builds=1, seconds=clock.now)
        watching.notice(ResultKnown(measured(point(number), 1, cost=Cost(runs=1)), spent))
    return listener


def test_a_time_that_turns_out_too_short_is_warned_of_once_and_soon():
    listener = watch(Seconds(60), seconds_a_run=2.0)

    assert len(listener.warnings) == 1
    assert "allows for about 27 points" in listener.warnings[0]  # 20 builds and 100 runs take 220 s
    assert "--budget 4m" in listener.warnings[0]
    assert sum(isinstance(event, ResultKnown) for event in listener.events) == 10


@pytest.mark.parametrize(
    ("budget", "seconds_a_run", "plan"),
    [
        (Seconds(60), 0.1, PLAN),
        (RunBudget(5), 2.0, PLAN),
        (Seconds(60), 2.0, PinpointPlan(PLAN.grounds, 100, True, PLAN.effort, "", Sufficiency(100, 9, "4m"))),
    ],
    ids=["enough", "no time", "warned of before"],
)
def test_nothing_else_is_warned_of_later(budget: Budget, seconds_a_run: float, plan: PinpointPlan):
    assert not watch(budget, seconds_a_run, plan).warnings


def test_known_points_say_nothing_of_the_pace():
    listener, clock = Listener(), Clock()
    watching = BudgetWatch(listener, Seconds(60), PLAN, clock)
    for number in range(10):
        clock.now = number * 30.0
        watching.notice(ResultKnown(measured(point(number), 1, cost=Cost()), Cost()))

    assert not listener.warnings


def test_a_budget_is_warned_of_at_the_start_only_if_it_is_too_small():
    listener = Listener()
    for allowed in (99, 100):
        plan = PinpointPlan(PLAN.grounds, 100, True, PLAN.effort, "9 runs", Sufficiency(100, allowed, "4m"))
        warn_of_budget(plan, listener)
    warn_of_budget(PLAN, listener)

    assert len(listener.warnings) == 1
