"""What is to be measured for a change that can reach hot code, and what that saves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from statistics import mean, median

from sonde.core.findings.impacts import Partition
from sonde.core.options import Configuration, OptionName
from sonde.core.points import Point
from sonde.core.results import Measurement, Metric
from sonde.core.revisions import History
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import PointGrid, known_results
from sonde.space.counting import count
from sonde.space.projections import combinations
from sonde.space.samplers.beside import beside
from sonde.space.samplers.covering import all_if_hardly_more
from sonde.space.space import Space
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.targets import MeasuringTarget

MOST_CONFIGURATIONS = 10_000


@dataclass(frozen=True)
class Reduced:
    """The configurations that a change makes worth measuring."""

    configurations: tuple[Configuration, ...]
    total: int
    is_cut: bool
    combinations: int  # valid ones of the related options
    not_executed: int  # of them, those in which the change does nothing
    beside: int = 0  # those for options behind the first hot code


def reduced(
    space: Space,
    related: Iterable[OptionName],
    partition: Partition | None = None,
    near: Configuration | None = None,
    behind: Collection[OptionName] = (),
) -> Reduced:
    """One configuration for each valid combination of the related options; of those that are alike, one.

    Values of options `behind` the first hot code are tried in pairs beside these, or in all combinations
    where those are hardly more. All others are as `near` to this configuration as constraints allow; None is
    the default. If the change seems to do nothing in any combination, what is known of it contradicts itself:
    all are kept.
    """
    related = tuple(related)
    few = _combined(space, related, partition, near)
    if not behind:
        return few
    pairs = few.configurations + beside(space, few.configurations, related, behind, near)
    every = _combined(space, (*related, *behind), partition, near).configurations
    chosen = all_if_hardly_more(every, pairs)
    return replace(few, configurations=chosen, beside=len(chosen) - len(few.configurations))


def _combined(
    space: Space, related: tuple[OptionName, ...], partition: Partition | None, near: Configuration | None
) -> Reduced:
    found = tuple(islice(combinations(space, related, near), MOST_CONFIGURATIONS + 1))
    kept, total = found[:MOST_CONFIGURATIONS], count(space).number
    is_cut = len(found) > len(kept)
    classes = {each: _class_of(each, related, partition) for each in kept} if partition else {}
    chosen = {key: each for each, key in reversed(classes.items()) if key is not None}
    if not chosen:
        return Reduced(kept, total, is_cut, len(kept), 0)
    one_each = set(chosen.values())
    return Reduced(
        tuple(each for each in kept if each in one_each),
        total,
        is_cut,
        len(kept),
        sum(key is None for key in classes.values()),
    )


def _class_of(
    configuration: Configuration, related: Iterable[OptionName], partition: Partition
) -> tuple[object, ...] | None:
    """The class of a configuration; of options that the partition is not about, each value counts."""
    found = partition.of(configuration)
    rest = [configuration[each] for each in related if each not in partition.options]
    return None if found is None else (found, *rest)


def measuring_seconds(
    tools: ProjectTools,
    target: MeasuringTarget,
    ancestors: History,
    chosen: Sequence[Configuration],
    total: int,
) -> tuple[float, float] | None:
    """How long measuring these configurations takes, and all; None if no run was ever timed.

    What a configuration takes is the median of its runs, or the mean of the other configurations.
    """
    of_chosen = of_all = 0.0
    for benchmark, runs in target.runs.items():
        times = _times(tools, ancestors, Point(ancestors[-1].id, chosen[0], benchmark))
        if not times:
            return None
        usual = mean(times.values())
        of_chosen += runs * sum(times.get(each, usual) for each in chosen)
        of_all += runs * (sum(times.values()) + usual * max(total - len(times), 0))
    return of_chosen, max(of_all, of_chosen)


def _times(tools: ProjectTools, ancestors: History, point: Point) -> dict[Configuration, float]:
    """The seconds of a run in each configuration that was ever measured, the latest counting."""
    draft = tools.drafter.draft(point)
    if not isinstance(draft, Blueprint):
        return {}
    scope = PointGrid((draft.context,), tuple(each.id for each in ancestors), None)
    latest: dict[Configuration, tuple[int, float]] = {}
    for result in known_results(tools.store, scope):
        if isinstance(result.outcome, Measurement):
            walls = [
                each.values[Metric.WALL] for each in result.outcome.samples if Metric.WALL in each.values
            ]
            position = ancestors.positions[result.point.revision]
            known = latest.get(result.point.configuration)
            if walls and (known is None or position > known[0]):
                latest[result.point.configuration] = position, median(walls)
    return {configuration: seconds for configuration, (_, seconds) in latest.items()}
