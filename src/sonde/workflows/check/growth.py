"""Which functions grew between two revisions, in one case: both are profiled where no profile is stored."""

from __future__ import annotations

from contextlib import closing

from sonde.core.evidence import Profile
from sonde.core.findings.comparisons import Case, Grown
from sonde.core.points import Point
from sonde.core.records import ProfileRecord
from sonde.core.revisions import Revision, RevisionId
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.snapshots.demangling import demangled
from sonde.methods.comparison.growth import find_growth
from sonde.workflows.evidence import profile_all
from sonde.workflows.project_tools import ProjectTools


def grown_between(
    tools: ProjectTools, executor: LocalExecutor, case: Case, base: Revision, head: Revision
) -> tuple[Grown, ...]:
    """The functions whose own instructions differ most; nothing if a side cannot be profiled."""
    points = [Point(each.id, case.configuration, case.benchmark) for each in (base, head)]
    drafts = [tools.drafter.draft(point) for point in points]
    blueprints = [draft for draft in drafts if isinstance(draft, Blueprint)]
    if len(blueprints) < len(drafts):
        return ()
    taken: dict[RevisionId, Profile] = {}
    with closing(profile_all(tools, executor, blueprints)) as taking:
        for blueprint, record in taking:
            if isinstance(record, ProfileRecord):
                taken[blueprint.point.revision] = record.content
    if base.id not in taken or head.id not in taken:
        return ()
    return find_growth(taken[base.id], taken[head.id], demangled)
