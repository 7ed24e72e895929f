"""The range that is searched for a culprit: its revisions, and how what was found is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sonde.core.findings.comparisons import Case, Culprit
from sonde.core.results import Failed, Result
from sonde.core.revisions import History, short
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import PointGrid, known_results
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.history_sampling.series import Series
from sonde.workflows.blueprints import blueprints_of, proven_kinds
from sonde.workflows.check.bisecting.search import Located
from sonde.workflows.evidence import build_all
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.projects import OpenProject

MOST = 0.75  # of the whole change; if the largest step is less, it is not the only one
SHOWN = 3  # revisions that are named, of those that say nothing


@dataclass(frozen=True)
class NoCulprit:
    """No revision of a range can be named, and why."""

    case: Case
    reason: str


def searched_revisions(project: OpenProject, range: str) -> History:
    """The revisions of a range, after the one before them, which is its good end."""
    history = project.history(range)
    parents = history[0].parents
    if not parents:
        return history
    (before,) = project.repository.ancestors(parents[0], project.file.subject.first_parent, 1)
    return History((before, *history))


@dataclass(frozen=True)
class SearchedRange:
    """A case over the revisions that have it."""

    case: Case
    revisions: History
    drawn: Mapping[int, Blueprint]  # by position, those of both ends among them
    series: Series

    @property
    def old(self) -> Blueprint:
        """The good end."""
        return self.drawn[0]

    @property
    def new(self) -> Blueprint:
        """The bad end."""
        return self.drawn[len(self.revisions) - 1]

    def known(self, tools: ProjectTools) -> list[Result]:
        """What the store knows of it."""
        contexts = tuple({each.context for each in self.drawn.values()})
        scope = PointGrid(contexts, self.series.revisions, (self.case.configuration,))
        return list(known_results(tools.store, scope))

    def none(self, reason: str) -> NoCulprit:
        """The answer where there is none."""
        return NoCulprit(self.case, reason.rstrip("."))

    def culprit(self, located: Located, confidence: float, words: str, share: float = 1.0) -> Culprit:
        """The answer; `words` say what happens there, and `share` is that of the step in the whole change."""
        parts = [words]
        if share < MOST:
            parts.append(f"this is {100 * share:.0f} % of the whole change; other revisions cause the rest")
        elif share > 1 / MOST:
            parts.append("other revisions of the range reverse a part of it")
        parts += _why_not_one(self.revisions, located)
        return Culprit(
            self.case,
            self.revisions[located.earliest],
            self.revisions[located.latest],
            confidence,
            located.probed,
            "; ".join(parts),
        )


def range_of(
    tools: ProjectTools, executor: LocalExecutor, case: Case, revisions: History
) -> SearchedRange | NoCulprit:
    """The range of a case, with both of its ends built; or why there is nothing to search."""
    drawn = blueprints_of(tools, revisions, case.configuration, case.benchmark)
    last = len(revisions) - 1
    if last == 0 or 0 not in drawn or last not in drawn:
        return NoCulprit(case, "it does not exist at both ends of the range")
    outcomes = build_all(tools, executor, [drawn[0], drawn[last]])
    for each in (drawn[0], drawn[last]):
        outcome = outcomes[each.build.key]
        if isinstance(outcome, Failed):
            reason = outcome.reason.rstrip(".")
            return NoCulprit(case, f"{short(each.point.revision)} does not build: {reason}")
    kinds = proven_kinds(tools, drawn.values())
    if kinds[0] == kinds[-1]:
        return NoCulprit(case, "the ends of the range are proven equal")
    ids = tuple(each.point.revision for each in drawn.values())
    metric = drawn[0].run.metric
    series = Series(case.configuration, case.benchmark, metric, ids, tuple(drawn), kinds)
    return SearchedRange(case, revisions, drawn, series)


def _why_not_one(revisions: History, located: Located) -> Iterator[str]:
    """Why several revisions are named, if so."""
    silent = [f"{revisions[at].short} ({failed.reason.rstrip('.')})" for at, failed in located.silent.items()]
    if silent:
        more = f" and {len(silent) - SHOWN} more" if len(silent) > SHOWN else ""
        yield f"not decided for {', '.join(silent[:SHOWN])}{more}"
    if located.is_cut:
        yield f"the search stopped after {located.probed} revisions"
