"""Is a revision slower: narrow, measure in turn, decide; then tell where, and who did it if asked to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sonde.core.errors import MissingTool
from sonde.core.events import Noted
from sonde.core.findings.comparisons import Case, Check, Compared, Verdict
from sonde.core.points import Point
from sonde.core.protocols import Watcher
from sonde.core.results import Metric
from sonde.core.revisions import History, Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.comparison.patterns import find_patterns
from sonde.methods.impact.coverage import Seen
from sonde.workflows.budget_warnings import warn_of_pairs
from sonde.workflows.check.audits import DrawnAudits, compare_audited, draw_audits, keep_audits, with_earlier
from sonde.workflows.check.culprits import Culprits, find_culprits, with_growth
from sonde.workflows.check.dropping import absences
from sonde.workflows.check.measuring import Measuring
from sonde.workflows.check.narrowing import Narrowed, narrow
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.check.trust import by_whose_rules
from sonde.workflows.code_lines import see_all
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.tally import Tally
from sonde.workflows.targets import MeasuringRequest

NOT_RUNNING = (Verdict.FAILS, Verdict.BROKEN)


def check(
    project: OpenProject, request: MeasuringRequest, how: CheckRequest, is_sandboxed: bool, watcher: Watcher
) -> Check:
    """A verdict for each case that could have changed, and why the others were not measured."""
    tally = Tally(watcher)
    ruled = by_whose_rules(project, how.revision, how.base, how.project_file)
    project = ruled.project
    warn_of_surroundings(project, is_sandboxed, watcher)
    warn_of_pairs(project, request, how.rules, watcher)
    narrowed = narrow(project, request, how, is_sandboxed, tally)
    found = Check(
        narrowed.head,
        narrowed.base,
        project.file.space.default,
        narrowed.cases,
        narrowed.dropped,
        related_options=narrowed.related_options,
        not_executed=narrowed.coverage.not_executed(),
        warnings=narrowed.warnings,
        seconds_narrowing=narrowed.seconds,
        rules=ruled.rules,
    )
    drawn = draw_audits(narrowed, how.audits)
    if narrowed.left or drawn.cases:
        watcher.notice(Noted(f"measuring {len(narrowed.left)} of {narrowed.cases:,} cases"))
        if drawn.cases:
            watcher.notice(Noted(f"auditing {len(drawn.cases)} of the others"))
        found = _measured(project, found, narrowed, drawn, how, is_sandboxed, tally, request.retry)
    if how.bisect:
        culprits = find_culprits(project, found.patterns, how, is_sandboxed, tally)
        found = _with_culprits(found, culprits)
    return replace(
        found,
        seconds_all=_seconds_of_all(project, narrowed, found.answers, how),
        cost=replace(tally.cost, runs=tally.cost.runs + found.cost.runs),
    )


def _measured(
    project: OpenProject,
    found: Check,
    narrowed: Narrowed,
    drawn: DrawnAudits,
    how: CheckRequest,
    is_sandboxed: bool,
    watcher: Watcher,
    retries: bool,
) -> Check:
    """With the verdicts of all cases that are left, and of those that are audited."""
    base, head = narrowed.base, narrowed.head
    benchmarks = list(dict.fromkeys((*(case.benchmark for case in narrowed.left), *drawn.benchmarks)))
    with (
        open_tools(project, History((base, head)), benchmarks, is_sandboxed) as tools,
        tools.executor(watcher) as executor,
    ):
        measuring = Measuring(tools, executor, how.rules, watcher, retries)
        drawn = with_earlier(drawn, narrowed, tools.store)
        outcomes = compare_audited(measuring, narrowed, drawn, how.strength)
        absent = absences(narrowed.left, outcomes.every)
        patterns = find_patterns(outcomes.every, narrowed.unchanged, narrowed.related_options or ())
        patterns = tuple(with_growth(tools, executor, patterns, base, head))
        ran = [each.case for each in outcomes.every if each.verdict not in NOT_RUNNING]
        at_head = [] if narrowed.coverage.is_settled else _seen_at(head, ran, tools, executor)
        audits = keep_audits(tools.store, narrowed, drawn, outcomes.audits, how.rules)
    return replace(
        found,
        dropped=(*outcomes.dropped, *absent),
        compared=outcomes.compared,
        not_executed=narrowed.coverage.not_executed(at_head),
        audits=audits,
        patterns=patterns,
        warnings=(*found.warnings, *measuring.warnings, *outcomes.warnings),
        cost=found.cost + measuring.cost,
    )


def _seen_at(
    head: Revision, cases: Iterable[Case], tools: ProjectTools, executor: LocalExecutor
) -> list[Seen]:
    """The code that cases execute at the head; a case that cannot be profiled is missing."""
    points = [Point(head.id, case.configuration, case.benchmark) for case in cases]
    drafts = [tools.drafter.draft(point) for point in points]
    try:
        seen = see_all(tools, executor, [each for each in drafts if isinstance(each, Blueprint)])
    except MissingTool:
        return []
    return list(seen.values())


def _with_culprits(found: Check, culprits: Culprits) -> Check:
    return replace(
        found,
        culprits=culprits.culprits,
        warnings=(*found.warnings, *culprits.warnings),
        cost=found.cost + culprits.cost,
    )


def _seconds_of_all(
    project: OpenProject, narrowed: Narrowed, compared: Sequence[Compared], how: CheckRequest
) -> float | None:
    """What measuring every case on both sides would take; None if no run was ever timed.

    Counting instructions is not disturbed by doing it on every core.
    """
    if narrowed.seconds_a_run is None:
        return None
    metrics = {each.metric for each in project.file.subject.benchmarks}
    lanes = (os.cpu_count() or 1) if metrics == {Metric.INSTRUCTIONS} else 1
    fewest = how.rules.exact_runs if metrics == {Metric.INSTRUCTIONS} else how.rules.least_pairs
    pairs = max((each.ratio.pairs for each in compared if each.ratio), default=fewest)
    return 2 * pairs * narrowed.cases * narrowed.seconds_a_run / lanes
