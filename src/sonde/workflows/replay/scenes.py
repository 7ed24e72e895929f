"""What a search for change points is played against: a recording, or an oracle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from sonde.campaign.drawn import DrawnExecutor
from sonde.campaign.nearest import NearestExecutor
from sonde.campaign.replay import ReplayExecutor
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.protocols import Executor
from sonde.core.results import Failed, Metric
from sonde.core.revisions import RevisionId
from sonde.effects.oracles import Oracle
from sonde.effects.recordings.grid import ByName, RecordedGrid
from sonde.effects.recordings.open_space import OpenSpace
from sonde.space.space import Space
from sonde.workflows.resolutions import RESOLUTIONS

METRIC = Metric.WALL  # neither recordings nor oracles say; lower is better


@dataclass(frozen=True)
class ReplayTarget:
    """What a search is played against."""

    name: str
    benchmark: BenchmarkName
    revisions: tuple[int, ...]
    space: Space
    executor: Executor
    points: int | None  # None: nobody has counted them
    noise_floor: float = 0.0  # relative deviation that is always reckoned with


def oracle_scene(oracle: Oracle, seed: int) -> ReplayTarget:
    """An oracle, all of whose options can be combined."""
    number_of = {revision_id(number): number for number in oracle.revisions}

    def draw(point: Point, rng: Random) -> float | Failed:
        return oracle.run(number_of[point.revision], point.configuration, rng)

    executor = DrawnExecutor(draw, METRIC, seed)
    return ReplayTarget(oracle.name, oracle.name, oracle.revisions, Space(oracle.options), executor, None)


def recorded_scene(grid: RecordedGrid, opened: OpenSpace, seed: int) -> ReplayTarget:
    """A recording; what a search asks for that it lacks, the nearest configuration answers."""
    benchmark = grid.benchmark or grid.name
    values = _by_point(grid.values, opened.configurations, benchmark)
    deviations = _by_point(grid.relative_deviations, opened.configurations, benchmark)
    recorded = ReplayExecutor(values, METRIC, deviations, seed)
    return ReplayTarget(
        grid.name,
        benchmark,
        grid.revisions,
        opened.space,
        NearestExecutor(recorded, values),
        len(grid.revisions) * len(grid.values),
        RESOLUTIONS[METRIC].noise_floor,
    )


def _by_point(
    numbers: ByName, configurations: Mapping[str, Configuration], benchmark: BenchmarkName
) -> dict[Point, float]:
    return {
        Point(revision_id(revision), configurations[name], benchmark): number
        for name, by_revision in numbers.items()
        for revision, number in by_revision.items()
    }


def revision_id(number: int) -> RevisionId:
    """The revision of that number; recordings and oracles know no other name."""
    return RevisionId(str(number))
