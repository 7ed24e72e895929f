"""What measuring would take at the most, without doing it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sonde.campaign.budget import in_words, parse_budget
from sonde.core.findings.measurements import Plan
from sonde.core.findings.plans import Effort
from sonde.core.records import BuildKey, BuildRecord, Built, Fingerprint
from sonde.core.results import Failed, Measurement, Result
from sonde.effects.builds.cache import BuildCache
from sonde.effects.collecting import without_collecting
from sonde.effects.executors.knowledge import known_results
from sonde.workflows.measure.measuring import scope_of
from sonde.workflows.measure.work import PlannedWork, Run
from sonde.workflows.pace import pace_so_far
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest, target_of


def plan(project: OpenProject, request: MeasuringRequest, is_sandboxed: bool) -> Plan:
    """What measuring would take at the most: builds may turn out equal, and builds and runs may fail."""
    target, budget = target_of(project, request), parse_budget(request.budget or project.file.budget)
    with (
        without_collecting(),
        open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools,
    ):
        known = [
            result
            for result in known_results(tools.store, scope_of(tools, target))
            if not (request.retry and isinstance(result.outcome, Failed))
        ]
        work = PlannedWork(tools.drafter, target)
        builds, runs = _missing(tools, work, known, request.retry)
        points = len(target.history) * len(target.configurations) * len(target.runs)
        settled = sum(_samples_of(each) >= target.runs[each.point.benchmark] for each in known)
        effort = Effort(builds, runs, pace_so_far(tools, target.benchmarks))
        return Plan(points, settled, work.impossible, effort, in_words(budget))


def _missing(tools: ProjectTools, work: PlannedWork, known: list[Result], retry: bool) -> tuple[int, int]:
    """How many builds and runs are to be made, if no two builds turn out equal."""
    records = tools.store.query(BuildRecord, {"build": list(work.builds)})
    outcomes = {record.build: record.outcome for record in records}
    built = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Built)}
    at_hand = _Shared(work, built, known)
    runs = {key: at_hand.missing(key) for key in work.builds if key in built}
    unknown = work.builds.keys() - (built if retry else outcomes).keys()
    runs |= {key: work.total(work.builds[key]) for key in unknown}
    cache = BuildCache(tools.project.state.builds, 0)
    needed = {key for key, missing in runs.items() if missing}
    builds = {key for key in needed if key not in built or not cache.find(built[key].fingerprint)}
    return len(builds), sum(runs.values())


class _Shared:
    """Runs of builds that are there: equal builds share them, and some may have been made."""

    def __init__(self, work: PlannedWork, built: Mapping[BuildKey, Built], known: Iterable[Result]) -> None:
        self._work, self._built = work, built
        self._taken: defaultdict[Fingerprint, set[Run]] = defaultdict(set)  # wanted of an equal build already
        self._done: defaultdict[Fingerprint, dict[Run, int]] = defaultdict(dict)  # samples
        for result in known:
            place = work.place_of(result.point)
            if place is not None and place[0] in built:
                build, run = place
                done = self._done[self._homes(build)[run in work.counted]]
                done[run] = max(done.get(run, 0), _samples_of(result))

    def missing(self, build: BuildKey) -> int:
        """How many runs of a build are to be made that no equal one was asked for."""
        (by_bytes, by_code), (plain, counted) = self._homes(build), self._work.parts(build)
        return self._missing(by_bytes, plain) + self._missing(by_code, counted)

    def _missing(self, home: Fingerprint, runs: frozenset[Run]) -> int:
        taken, wanted = self._taken[home], self._work.wanted
        fresh = runs - taken if taken else runs
        taken |= fresh
        done = (min(samples, wanted[run]) for run, samples in self._done[home].items() if run in fresh)
        return self._work.total(fresh) - sum(done)

    def _homes(self, build: BuildKey) -> tuple[Fingerprint, Fingerprint]:
        """What other runs can notice of the build, and what those whose instructions are counted can."""
        built = self._built[build]
        return built.fingerprint, built.fingerprint if built.code is None else built.code


def _samples_of(result: Result) -> int:
    match result.outcome:
        case Failed():
            return sys.maxsize  # it is not tried again
        case Measurement(samples):
            return len(samples)
