"""What `sonde pinpoint` usually takes, and whether its budget is enough."""

from __future__ import annotations

from sonde.campaign.budget import parse_budget
from sonde.core.plans import PinpointPlan
from sonde.workflows.pinpoint import PinpointWish, limit_of
from sonde.workflows.pinpoint_searches import search_named
from sonde.workflows.pinpoint_usual import plan_search
from sonde.workflows.pinpoint_worlds import places_of
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import Wish, target_of
from sonde.workflows.thresholds import parse_threshold
from sonde.workflows.workshop import open_workshop


def plan_pinpoint(project: OpenProject, wish: Wish, how: PinpointWish, is_sandboxed: bool) -> PinpointPlan:
    """What searching would take; nothing is built or run."""
    search_named(how.planner)  # a mistake is reported before anything is read
    threshold, target = parse_threshold(how.threshold), target_of(project, wish)
    written = wish.budget or project.file.budget
    budget = parse_budget(written) if written else None
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        places = places_of(workshop, target, wish.runs, threshold, how.seed)
        searches = [(place, search_named(how.planner)) for place in places]
        return plan_search(workshop, searches, limit_of(budget, places), how.seed)
