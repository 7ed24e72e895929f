"""Warns of a budget that will probably end before there is an answer: at first, or once the pace is known."""

from __future__ import annotations

import time
from dataclasses import replace

from sonde.campaign.budget import Budget, Seconds
from sonde.campaign.estimates import enough_for, pace_after, points_allowed
from sonde.core.events import BuildEnded, Event, ResultKnown, Warned
from sonde.core.findings.plans import HistoryPlan, Pace, PinpointPlan, Sufficiency
from sonde.core.protocols import Clock, Watcher
from sonde.core.results import Metric
from sonde.methods.comparison.intervals import least_cap
from sonde.methods.comparison.rules import ComparisonRules
from sonde.report.plans import few_pairs_text, short_text
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest

FIRST_LOOK = 3  # points that were paid for, before their pace is believed


def warn_of_budget(plan: HistoryPlan | PinpointPlan, watcher: Watcher) -> None:
    """Say so if the budget of a plan will probably not be enough."""
    if plan.sufficiency is not None and plan.sufficiency.is_short:
        watcher.notice(Warned(short_text(plan)))


def warn_of_pairs(
    project: OpenProject, request: MeasuringRequest, rules: ComparisonRules, watcher: Watcher
) -> None:
    """Say so if the cap on pairs allows no change of a time to be found, however large it is."""
    asked = [
        each for each in project.file.subject.benchmarks if each.name in (request.benchmarks or (each.name,))
    ]
    is_timed = any(each.metric is not Metric.INSTRUCTIONS for each in asked)
    if is_timed and (needed := least_cap(rules)) > rules.most_pairs:
        watcher.notice(Warned(few_pairs_text(rules.most_pairs, needed)))


class BudgetWatch:
    """Hands on events, and warns once where the pace of a campaign shows that its time is not enough."""

    def __init__(
        self, watcher: Watcher, budget: Budget, plan: PinpointPlan, clock: Clock = time.monotonic
    ) -> None:
        self._watcher = watcher
        self._budget, self._plan = budget, plan
        self._clock, self._begun = clock, clock()
        self._build_seconds = 0.0
        self._paid = 0
        self._is_open = isinstance(budget, Seconds) and plan.sufficiency is None  # nobody knew the pace

    def notice(self, event: Event) -> None:
        """Hand on an event."""
        self._watcher.notice(event)
        if isinstance(event, BuildEnded):
            self._build_seconds += event.seconds
        if self._is_open and isinstance(event, ResultKnown):
            self._paid += bool(event.result.cost.runs)
            if self._paid >= FIRST_LOOK:
                self._is_open = False
                self._look(pace_after(self._clock() - self._begun, event.spent, self._build_seconds))

    def _look(self, pace: Pace) -> None:
        plan = self._plan
        effort = replace(plan.effort, pace=pace)
        allowed = points_allowed(self._budget, plan.usual, effort)
        if allowed is not None:
            enough = enough_for(self._budget, plan.usual, effort)
            sufficiency = Sufficiency(plan.usual, allowed, enough)
            warn_of_budget(replace(plan, effort=effort, sufficiency=sufficiency), self._watcher)
