"""Is a revision slower: narrow, measure in turn, decide; and look for the cause if asked to."""

from __future__ import annotations

import os
import time
from dataclasses import replace

from sonde.core.comparisons import Check, Compared, Culprit
from sonde.core.events import Noted, Warned
from sonde.core.protocols import Watcher
from sonde.core.results import Metric
from sonde.core.revisions import History
from sonde.methods.comparison.patterns import find_patterns
from sonde.workflows.check_measuring import Measuring
from sonde.workflows.check_narrowing import Narrowed, narrow
from sonde.workflows.check_wishes import CheckWish
from sonde.workflows.measure import NO_SANDBOX
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import Wish
from sonde.workflows.workshop import open_workshop


def check(project: OpenProject, wish: Wish, how: CheckWish, is_sandboxed: bool, watcher: Watcher) -> Check:
    """A verdict for each case that could have changed, and why the others were not measured."""
    begun = time.monotonic()
    if not is_sandboxed:
        watcher.notice(Warned(NO_SANDBOX))
    narrowed = narrow(project, wish, how, is_sandboxed, watcher)
    compared: list[Compared] = []
    culprits: list[Culprit] = []
    cost = narrowed.cost
    if narrowed.left:
        watcher.notice(Noted(f"{len(narrowed.left)} of {narrowed.cases:,} cases are left to be measured"))
        history = History((narrowed.base, narrowed.head))
        with (
            open_workshop(project, history, _benchmarks(narrowed), is_sandboxed) as workshop,
            workshop.executor(watcher) as executor,
        ):
            measuring = Measuring(workshop, executor, how.rules, watcher)
            compared = measuring.compare(narrowed.base, narrowed.head, narrowed.left)
            cost += measuring.cost
    return Check(
        narrowed.head,
        narrowed.base,
        project.file.space.default,
        narrowed.cases,
        narrowed.dropped,
        tuple(compared),
        narrowed.related_options,
        find_patterns(compared, narrowed.unchanged),
        tuple(culprits),
        narrowed.warnings,
        _seconds_of_all(project, narrowed, compared, how),
        replace(cost, seconds=time.monotonic() - begun),
    )


def _seconds_of_all(
    project: OpenProject, narrowed: Narrowed, compared: list[Compared], how: CheckWish
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


def _benchmarks(narrowed: Narrowed) -> list[str]:
    return list(dict.fromkeys(case.benchmark for case in narrowed.left))
