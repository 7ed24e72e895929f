"""Histories from what the store knows; nothing is built or run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from sonde.core.errors import NothingMeasured
from sonde.core.events import Event
from sonde.core.findings.histories import Histories, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.records import PointRecord
from sonde.core.results import FREE, Result
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import PointGrid, known_by_content
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policies import DEFAULT
from sonde.methods.history_sampling.series import Series
from sonde.workflows.history.estimating import series_of
from sonde.workflows.history.planners import policy_named
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.reference_runs.paired_knowledge import PairedKnowledge
from sonde.workflows.reference_runs.references import SeriesReferences
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_of

SEED = 0
ENDING = "everything on this page was known before"

_SeriesKey = tuple[BenchmarkName, Configuration]


@dataclass(frozen=True)
class KnownHistories:
    """What the store knows, and of which machine."""

    histories: Histories
    environment: str  # the machine and its compilers, in words


class _Unwatched:
    """A watcher of reading, of which nothing is reported."""

    def notice(self, event: Event) -> None:
        """Do nothing."""


def known_histories(project: OpenProject, request: MeasuringRequest, is_sandboxed: bool) -> KnownHistories:
    """The history of each benchmark and configuration of which the store has a point.

    Configurations of the request limit it to these.
    """
    target = target_of(project, request)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        keys = _measured_series(tools, target, request)
        if not keys:
            raise NothingMeasured(
                "nothing is measured yet in these revisions, so there is nothing to report. "
                "`sonde measure`, `sonde history` or `sonde pinpoint` measure."
            )
        target = replace(target, configurations=_in_order(target, keys))
        drawn = [pair for pair in series_of(tools, target) if _key(pair[0]) in keys]
        references = SeriesReferences(tools, _Unwatched())
        planner = HistoryPlanner(
            [series for series, _ in drawn], len(target.history), policy_named(DEFAULT), SEED
        )
        planner.tell(_known(tools, target, references, [each for _, some in drawn for each in some]))
        found = tuple(
            replace(one, reference=references.revision((one.benchmark, one.configuration)))
            for one in planner.histories()
            if _has_value(one)
        )
        environment = tools.drafter.workplace.in_words
    if not found:
        raise NothingMeasured(
            "no revision has a value, because every build or run failed. `sonde show` lists the failures."
        )
    histories = Histories(target.history, found, project.file.space.default, DEFAULT, ENDING, FREE)
    return KnownHistories(histories, environment)


def _measured_series(
    tools: ProjectTools, target: MeasuringTarget, request: MeasuringRequest
) -> frozenset[_SeriesKey]:
    """The benchmarks and configurations of which the store has a point of the range."""
    contexts = tuple(record.context for record in tools.drafter.contexts.values())
    revisions = tuple(revision.id for revision in target.history)
    wanted = target.configurations if request.configurations else None
    records = tools.store.query(PointRecord, PointGrid(contexts, revisions, wanted).where)
    return frozenset((record.point.benchmark, record.point.configuration) for record in records)


def _in_order(target: MeasuringTarget, keys: Collection[_SeriesKey]) -> tuple[Configuration, ...]:
    """The configurations of these series: those of the request first, then by their text."""
    found = {configuration for _, configuration in keys}
    first = [each for each in target.configurations if each in found]
    return (*first, *sorted(found.difference(first), key=str))


def _key(series: Series) -> _SeriesKey:
    return series.benchmark, series.configuration


def _known(
    tools: ProjectTools, target: MeasuringTarget, references: SeriesReferences, drawn: Sequence[Blueprint]
) -> Iterator[Result]:
    """What is known of points: by their pairs with a reference where their series has one."""
    yield from PairedKnowledge(tools, references).known(drawn, target.runs)
    alone = [
        each
        for each in drawn
        if references.is_timed(each.point.benchmark)
        and references.known((each.point.benchmark, each.point.configuration)) is None
    ]
    yield from known_by_content(tools.store, alone)


def _has_value(series: SeriesHistory) -> bool:
    return bool(series.measured or series.proven)
