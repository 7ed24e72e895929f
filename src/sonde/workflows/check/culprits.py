"""Who made it slower: the functions that grew, and the revision of a range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sonde.core.findings.comparisons import CasePattern, Culprit, Verdict
from sonde.core.protocols import Watcher
from sonde.core.results import FREE, Cost
from sonde.core.revisions import History, Revision
from sonde.effects.executors.local import LocalExecutor
from sonde.workflows.check.bisecting.culprit import Bisection, NoCulprit, searched_revisions
from sonde.workflows.check.growth import grown_between
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject

MOST_EXPLAINED = 3  # groups of configurations whose functions are looked at
NOTHING_SLOWER = "nothing is slower or fails, so --bisect has nothing to search for."


@dataclass(frozen=True)
class Culprits:
    """What was found, what was not, and what it took."""

    culprits: tuple[Culprit, ...] = ()
    warnings: tuple[str, ...] = ()
    cost: Cost = FREE


def slower_groups(patterns: Sequence[CasePattern]) -> list[CasePattern]:
    """Of patterns with the same term the one with the largest change: they most likely have one cause."""
    groups: dict[object, CasePattern] = {}
    for each in patterns:
        if each.verdict is Verdict.SLOWER and each.most is not None and each.worst is not None:
            known = groups.get(each.term)
            if known is None or known.most is None or each.most.log > known.most.log:
                groups[each.term] = each
    return list(groups.values())


def with_growth(
    tools: ProjectTools,
    executor: LocalExecutor,
    patterns: Sequence[CasePattern],
    base: Revision,
    head: Revision,
) -> Iterator[CasePattern]:
    """The patterns; those that stand for a group know which functions grew in their worst case."""
    explained = slower_groups(patterns)[:MOST_EXPLAINED]
    for each in patterns:
        if each in explained and each.worst is not None:
            yield replace(each, grown=grown_between(tools, executor, each.worst, base, head))
        else:
            yield each


def find_culprits(
    project: OpenProject,
    patterns: Sequence[CasePattern],
    how: CheckRequest,
    is_sandboxed: bool,
    watcher: Watcher,
) -> Culprits:
    """Look in a range for the revision behind the worst case of each benchmark that got slower or fails now.

    Benchmarks that got slower in the same configurations need not have done so at the same revision.
    """
    slower, failing = (
        [each.worst for each in patterns if each.verdict is verdict and each.worst is not None]
        for verdict in (Verdict.SLOWER, Verdict.FAILS)
    )
    if not slower and not failing:
        return Culprits(warnings=(NOTHING_SLOWER,))
    revisions = searched_revisions(project, how.bisect)
    benchmarks = list(dict.fromkeys(case.benchmark for case in (*slower, *failing)))
    culprits: list[Culprit] = []
    warnings: list[str] = []
    with (
        open_tools(project, revisions, benchmarks, is_sandboxed) as tools,
        tools.executor(watcher) as executor,
    ):
        bisection = Bisection(tools, executor, how.rules, watcher)
        searches = [(case, bisection.find) for case in slower]
        searches += [(case, bisection.find_failure) for case in failing]
        for case, search in searches:
            found = search(case, revisions)
            if isinstance(found, NoCulprit):
                warnings.append(f"--bisect found no revision for {case.benchmark}: {found.reason}.")
                continue
            before = _before(found.earliest, revisions)
            is_slower = case in slower  # what fails cannot be profiled
            grown = grown_between(tools, executor, case, before, found.revision) if is_slower else ()
            culprits.append(replace(found, grown=grown))
    return Culprits(tuple(culprits), tuple(warnings), bisection.cost)


def _before(revision: Revision, revisions: History) -> Revision:
    return revisions[max(revisions.positions[revision.id] - 1, 0)]
