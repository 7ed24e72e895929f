"""Is a revision slower: narrow, measure in turn, decide; then tell where, and who did it if asked to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from sonde.core.comparisons import Check, Compared
from sonde.core.events import Noted, Warned
from sonde.core.protocols import Watcher
from sonde.core.results import Metric
from sonde.core.revisions import History
from sonde.methods.comparison.patterns import find_patterns
from sonde.workflows.check_culprits import Culprits, find_culprits, with_growth
from sonde.workflows.check_dropping import absences
from sonde.workflows.check_measuring import Measuring
from sonde.workflows.check_narrowing import Narrowed, narrow
from sonde.workflows.check_wishes import CheckWish
from sonde.workflows.measure import NO_SANDBOX
from sonde.workflows.projects import OpenProject
from sonde.workflows.tally import Tally
from sonde.workflows.targets import Wish
from sonde.workflows.workshop import open_workshop


def check(project: OpenProject, wish: Wish, how: CheckWish, is_sandboxed: bool, watcher: Watcher) -> Check:
    """A verdict for each case that could have changed, and why the others were not measured."""
    tally = Tally(watcher)
    if not is_sandboxed:
        watcher.notice(Warned(NO_SANDBOX))
    narrowed = narrow(project, wish, how, is_sandboxed, tally)
    found = Check(
        narrowed.head,
        narrowed.base,
        project.file.space.default,
        narrowed.cases,
        narrowed.dropped,
        related_options=narrowed.related_options,
        warnings=narrowed.warnings,
        seconds_narrowing=narrowed.seconds,
    )
    if narrowed.left:
        watcher.notice(Noted(f"{len(narrowed.left)} of {narrowed.cases:,} cases are left to be measured"))
        found = _measured(project, found, narrowed, how, is_sandboxed, tally, wish.retry)
    if how.bisect:
        culprits = find_culprits(project, found.patterns, how, is_sandboxed, tally)
        found = _with_culprits(found, culprits)
    return replace(
        found,
        seconds_all=_seconds_of_all(project, narrowed, found.compared, how),
        cost=replace(tally.cost, runs=tally.cost.runs + found.cost.runs),
    )


def _measured(
    project: OpenProject,
    found: Check,
    narrowed: Narrowed,
    how: CheckWish,
    is_sandboxed: bool,
    watcher: Watcher,
    retries: bool,
) -> Check:
    """With the verdicts of all cases that are left."""
    base, head = narrowed.base, narrowed.head
    benchmarks = list(dict.fromkeys(case.benchmark for case in narrowed.left))
    with (
        open_workshop(project, History((base, head)), benchmarks, is_sandboxed) as workshop,
        workshop.executor(watcher) as executor,
    ):
        measuring = Measuring(workshop, executor, how.rules, watcher, retries)
        compared = measuring.compare(base, head, narrowed.left)
        absent = absences(narrowed.left, compared)
        patterns = find_patterns(compared, narrowed.unchanged)
        patterns = tuple(with_growth(workshop, executor, patterns, base, head))
    return replace(
        found,
        dropped=(*found.dropped, *absent),
        compared=tuple(compared),
        patterns=patterns,
        warnings=(*found.warnings, *measuring.warnings),
        cost=found.cost + measuring.cost,
    )


def _with_culprits(found: Check, culprits: Culprits) -> Check:
    return replace(
        found,
        culprits=culprits.culprits,
        warnings=(*found.warnings, *culprits.warnings),
        cost=found.cost + culprits.cost,
    )


def _seconds_of_all(
    project: OpenProject, narrowed: Narrowed, compared: Sequence[Compared], how: CheckWish
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
