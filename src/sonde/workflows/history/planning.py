"""What `sonde history` takes at the most, and whether its budget is enough."""

from __future__ import annotations

from sonde.campaign.budget import parse_budget
from sonde.core.findings.plans import HistoryPlan
from sonde.workflows.history.effort import plan_sampling
from sonde.workflows.history.estimating import USUAL_BUDGET, HistoryRequest, series_of
from sonde.workflows.history.planners import parse_stopping, policy_named
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest, target_of


def plan_history(
    project: OpenProject, request: MeasuringRequest, how: HistoryRequest, is_sandboxed: bool
) -> HistoryPlan:
    """What sampling would take; nothing is built or run."""
    policy_named(how.planner), parse_stopping(how.until)  # a mistake is reported before anything is read
    target = target_of(project, request)
    budget = parse_budget(request.budget or project.file.budget or USUAL_BUDGET)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        return plan_sampling(tools, series_of(tools, target), budget, how.exact)
