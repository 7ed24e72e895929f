"""What `sonde check` takes at the most: nothing is built, so nothing but configurations can be left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product

from sonde.core.findings.plans import CheckPlan, Effort
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.protocols import Watcher
from sonde.core.results import Measurement, Metric
from sonde.core.revisions import RevisionId
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_by_content
from sonde.methods.comparison.intervals import least_cap
from sonde.methods.comparison.rules import ComparisonRules
from sonde.space.counting import count
from sonde.space.samplers.t_wise import t_wise
from sonde.workflows.blueprints import known_builds
from sonde.workflows.check.narrowing import Narrowing, narrowing_of
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.check.sources import open_sources
from sonde.workflows.check.trust import by_whose_rules
from sonde.workflows.evidence import profiles_of
from sonde.workflows.pace import pace_so_far
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest


def plan_check(
    project: OpenProject, request: MeasuringRequest, how: CheckRequest, is_sandboxed: bool, watcher: Watcher
) -> CheckPlan:
    """What comparing two revisions would take; nothing is built or run."""
    project = by_whose_rules(project, how.revision, how.base, how.project_file).project
    with open_sources(project, request, how, is_sandboxed, watcher) as sources:
        pair, tools = sources.selecting.pair, sources.selecting.tools
        narrowing = narrowing_of(sources, project, request, how, watcher)
        near = [] if how.takes_all else narrowing.first_asked()
        measured = _measured(narrowing, near, how)
        metrics, ends = narrowing.metrics, (pair.base.id, pair.head.id)
        cases = len(metrics) * (len(narrowing.named) or count(narrowing.space).number)
        most = min(cases, len(metrics) * len(measured) + how.audits)
        drafts = _drafts(tools, product(ends, measured, metrics))
        looked_at = _drafts(tools, product(ends, near, metrics))
        runs = _runs(tools, drafts, metrics, how.rules) + len(looked_at) - len(profiles_of(tools, looked_at))
        missing = {each.build.key for each in drafts} - known_builds(tools, drafts).keys()
        is_timed = any(metric is not Metric.INSTRUCTIONS for metric in metrics.values())
        return CheckPlan(
            pair.base,
            pair.head,
            cases,
            len(near) * len(metrics),
            most,
            Effort(len(missing), runs, pace_so_far(tools, list(metrics))),
            how.rules.most_pairs,
            least_cap(how.rules) if is_timed else 0,
        )


def _measured(
    narrowing: Narrowing, near: Sequence[Configuration], how: CheckRequest
) -> Collection[Configuration]:
    """The configurations that are measured if nothing is proven and `sonde impact` says nothing."""
    if how.takes_all:
        return narrowing.all()
    space = narrowing.space
    if len(near) == (len(narrowing.named) or count(space).number):
        return near
    return dict.fromkeys((*near, space.default, *t_wise(space, how.strength)))


def _drafts(
    tools: ProjectTools, points: Iterable[tuple[RevisionId, Configuration, BenchmarkName]]
) -> list[Blueprint]:
    drafts = [tools.drafter.draft(Point(*each)) for each in points]
    return [each for each in drafts if isinstance(each, Blueprint)]


def _runs(
    tools: ProjectTools, drafts: Sequence[Blueprint], metrics: Mapping[str, Metric], rules: ComparisonRules
) -> int:
    """Runs that are missing, of each side so many as there are pairs."""
    samples = {
        each.point: len(each.outcome.samples) if isinstance(each.outcome, Measurement) else rules.exact_runs
        for each in known_by_content(tools.store, drafts)
    }
    return sum(
        max(0, rules.exact_runs - samples.get(each.point, 0))
        if metrics[each.point.benchmark] is Metric.INSTRUCTIONS
        else rules.most_pairs
        for each in drafts
    )
