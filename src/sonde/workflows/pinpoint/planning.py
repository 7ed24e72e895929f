"""What `sonde pinpoint` usually takes, and whether its budget is enough."""

from __future__ import annotations

from sonde.campaign.budget import parse_budget
from sonde.core.findings.plans import PinpointPlan
from sonde.workflows.pinpoint.searches import search_named
from sonde.workflows.pinpoint.searching import PinpointRequest, limit_of
from sonde.workflows.pinpoint.usual import plan_search
from sonde.workflows.pinpoint.worlds import places_of
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest, target_of
from sonde.workflows.thresholds import parse_threshold


def plan_pinpoint(
    project: OpenProject, request: MeasuringRequest, how: PinpointRequest, is_sandboxed: bool
) -> PinpointPlan:
    """What searching would take; nothing is built or run."""
    search_named(how.planner)  # a mistake is reported before anything is read
    threshold, target = parse_threshold(how.threshold), target_of(project, request)
    written = request.budget or project.file.budget
    budget = parse_budget(written) if written else None
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        places = places_of(tools, target, request.runs, threshold, how.seed)
        searches = [(place, search_named(how.planner)) for place in places]
        return plan_search(tools, searches, limit_of(budget, places), how.seed)
