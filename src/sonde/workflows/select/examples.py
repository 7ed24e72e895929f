"""Examples to learn from: pairs of measured revisions, and what their builds and profiles say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from sonde.core.evidence import Profile, Snapshot
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.records import BuildKey, Built, ProfileRecord
from sonde.core.results import Failed, Measurement, Metric
from sonde.core.revisions import History, Revision
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_results
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.selection.differences import BuildDifference, difference_between
from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import INDICATORS
from sonde.methods.selection.proof import Proven
from sonde.methods.selection.truth import time_effect
from sonde.workflows.evidence import build_all, profile_all, snapshot_of
from sonde.workflows.measure.measuring import scope_of
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.decisions import compare
from sonde.workflows.targets import MeasuringTarget

KEPT_DIFFERENCES = 8


@dataclass(frozen=True, eq=False)
class MeasuredPair:
    """A point at a revision and at an earlier one, both with values of its metric."""

    child: Blueprint
    parent: Blueprint
    metric: Metric
    before: tuple[float, ...]
    after: tuple[float, ...]
    hops: int

    @property
    def effect(self) -> float:
        """The relative change of the metric: 0.01 is 1 % more."""
        if self.metric is Metric.INSTRUCTIONS:
            return median(self.after) / median(self.before) - 1
        return time_effect(self.before, self.after)


@dataclass(frozen=True)
class TrainingPair:
    """A pair, and what its builds and its profile say."""

    pair: MeasuredPair
    example: Example


def measured_pairs(tools: ProjectTools, target: MeasuringTarget, hops: int) -> tuple[list[MeasuredPair], int]:
    """The pairs of a target of which both sides are measured, and how many others there are."""
    subject = tools.project.file.subject
    values = _values(tools, target)
    pairs: list[MeasuredPair] = []
    unmeasured = 0
    for child, parent, distance in _relatives(target.history, hops):
        for configuration in target.configurations:
            for benchmark in target.benchmarks:
                points = [Point(each.id, configuration, benchmark) for each in (child, parent)]
                after, before = (values.get(point, ()) for point in points)
                drafts = [tools.drafter.draft(point) for point in points]
                if not (before and after and min(*before, *after) > 0):
                    unmeasured += all(isinstance(draft, Blueprint) for draft in drafts)
                elif isinstance(drafts[0], Blueprint) and isinstance(drafts[1], Blueprint):
                    metric = subject.benchmark[benchmark].metric
                    pairs.append(MeasuredPair(drafts[0], drafts[1], metric, before, after, distance))
    return pairs, unmeasured


def _values(tools: ProjectTools, target: MeasuringTarget) -> Mapping[Point, tuple[float, ...]]:
    metrics = {name: tools.project.file.subject.benchmark[name].metric for name in target.benchmarks}
    found = {}
    for result in known_results(tools.store, scope_of(tools, target)):
        if isinstance(result.outcome, Measurement):
            metric = metrics[result.point.benchmark]
            samples = (sample.values.get(metric) for sample in result.outcome.samples)
            found[result.point] = tuple(value for value in samples if value is not None)
    return found


def _relatives(history: History, hops: int) -> Iterator[tuple[Revision, Revision, int]]:
    """Each revision with its ancestors up to so many first parents away, as far as the history has them."""
    for child in history:
        ancestor = child
        for distance in range(1, hops + 1):
            if not ancestor.parents or ancestor.parents[0] not in history:
                break
            ancestor = history[history.positions[ancestor.parents[0]]]
            yield child, ancestor, distance


def examples_of(
    tools: ProjectTools, executor: LocalExecutor, pairs: Sequence[MeasuredPair]
) -> Iterator[TrainingPair]:
    """What the builds and profiles of pairs say; pairs of which one cannot be read are left out."""
    outcomes = build_all(tools, executor, [side for pair in pairs for side in (pair.child, pair.parent)])
    left = [pair for pair in pairs if not _is_same(pair, outcomes)]
    profiles: dict[Point, Profile] = {}
    parents = list({pair.parent.point: pair.parent for pair in left}.values())
    for blueprint, taken in profile_all(tools, executor, parents):
        if isinstance(taken, ProfileRecord):
            profiles[blueprint.point] = taken.content
    seconds = _typical_seconds(profiles)
    blueprints = {side.build.key: side for pair in left for side in (pair.child, pair.parent)}

    @lru_cache(maxsize=KEPT_DIFFERENCES)
    def difference(parent: BuildKey, child: BuildKey) -> BuildDifference | None:
        old, new = (snapshot_of(tools, executor, blueprints[key]) for key in (parent, child))
        if isinstance(old, Snapshot) and isinstance(new, Snapshot):
            return difference_between(old, new)
        return None

    for pair in pairs:
        if _is_same(pair, outcomes):
            known = seconds.get((pair.child.point.benchmark, pair.child.point.configuration), 0.0)
            yield TrainingPair(
                pair, _example(pair, dict.fromkeys(INDICATORS, 0.0), is_proven=True, seconds=known)
            )
            continue
        found = difference(pair.parent.build.key, pair.child.build.key)
        profile = profiles.get(pair.parent.point)
        if found is not None and profile is not None:
            yield TrainingPair(pair, _compared(pair, found, profile))


def _typical_seconds(profiles: Mapping[Point, Profile]) -> Mapping[tuple[str, Configuration], float]:
    """What a run takes in each benchmark and configuration."""
    found: dict[tuple[str, Configuration], list[float]] = {}
    for point, profile in profiles.items():
        found.setdefault((point.benchmark, point.configuration), []).append(profile.seconds)
    return {series: median(times) for series, times in found.items()}


def _is_same(pair: MeasuredPair, outcomes: Mapping[BuildKey, Built | Failed]) -> bool:
    """Whether the builds themselves prove that nothing changed."""
    old, new = outcomes[pair.parent.build.key], outcomes[pair.child.build.key]
    if pair.parent.run != pair.child.run or isinstance(old, Failed) or isinstance(new, Failed):
        return False
    return new.does_the_same_as(old)


def _compared(pair: MeasuredPair, difference: BuildDifference, profile: Profile) -> Example:
    comparison = compare(difference, profile, pair.metric)
    is_proven = isinstance(comparison.proof, Proven)
    must_run = comparison.refusal is not None or comparison.is_hidden or pair.parent.run != pair.child.run
    return _example(pair, comparison.values, is_proven, must_run and not is_proven, profile.seconds)


def _example(
    pair: MeasuredPair,
    values: Mapping[str, float],
    is_proven: bool,
    is_refused: bool = False,
    seconds: float = 0.0,
) -> Example:
    return Example(
        pair.child.point.revision,
        pair.parent.point.revision,
        pair.child.point.benchmark,
        dict(values),
        pair.effect,
        is_hit=False,
        is_proven=is_proven,
        is_refused=is_refused,
        seconds=seconds,
        hops=pair.hops,
    )
