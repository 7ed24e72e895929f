"""What `sonde history` takes at the most, and whether its budget is enough."""

from __future__ import annotations

from sonde.campaign.budget import parse_budget
from sonde.core.plans import HistoryPlan
from sonde.workflows.history import USUAL_BUDGET, HistoryWish, series_of
from sonde.workflows.history_effort import plan_sampling
from sonde.workflows.history_planners import parse_stopping, policy_named
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import Wish, target_of
from sonde.workflows.workshop import open_workshop


def plan_history(project: OpenProject, wish: Wish, how: HistoryWish, is_sandboxed: bool) -> HistoryPlan:
    """What sampling would take; nothing is built or run."""
    policy_named(how.planner), parse_stopping(how.until)  # a mistake is reported before anything is read
    target = target_of(project, wish)
    budget = parse_budget(wish.budget or project.file.budget or USUAL_BUDGET)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        return plan_sampling(workshop, series_of(workshop, target), budget, how.exact)
