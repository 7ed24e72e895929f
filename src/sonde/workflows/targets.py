"""What the user wants to be measured: from her words to points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from sonde.core.errors import UnknownBenchmark
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.revisions import History
from sonde.workflows.projects import OpenProject

ALL = "all"


@dataclass(frozen=True)
class MeasuringRequest:
    """What the user wants, in her words.

    Empty means the whole branch, the default configuration, all benchmarks.
    """

    range: str = ""
    configurations: tuple[str, ...] = ()
    benchmarks: tuple[BenchmarkName, ...] = ()
    runs: int | None = None  # None: as the project file says
    budget: str | None = None  # None: as the project file says
    retry: bool = False  # try again what failed


@dataclass(frozen=True)
class MeasuringTarget:
    """The points that a request means, and how many samples each should have."""

    history: History
    configurations: tuple[Configuration, ...]
    runs: Mapping[BenchmarkName, int]

    @property
    def benchmarks(self) -> tuple[BenchmarkName, ...]:
        """The names of the benchmarks, in the order of the project file."""
        return tuple(self.runs)

    def points(self) -> Iterator[Point]:
        """Every point, revision by revision, so that one build serves all that need it."""
        for revision in self.history:
            for configuration in self.configurations:
                for benchmark in self.runs:
                    yield Point(revision.id, configuration, benchmark)


def target_of(project: OpenProject, request: MeasuringRequest) -> MeasuringTarget:
    """The points that a request means; errors name what the project does not have."""
    return target_over(project, request, project.history(request.range))


def target_over(project: OpenProject, request: MeasuringRequest, history: History) -> MeasuringTarget:
    """The points that a request means in these revisions, whatever its range."""
    space, subject = project.file.space, project.file.subject
    known = [benchmark.name for benchmark in subject.benchmarks]
    for name in request.benchmarks:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise UnknownBenchmark(f"there is no benchmark '{name}'.{hint} Known ones: {', '.join(known)}.")
    if ALL in request.configurations:
        configurations = tuple(space.configurations())
    else:
        configurations = tuple(dict.fromkeys(map(space.parse, request.configurations))) or (space.default,)
    wanted = [name for name in known if name in request.benchmarks or not request.benchmarks]
    runs = {name: request.runs or subject.benchmark[name].runs for name in wanted}
    return MeasuringTarget(history, configurations, runs)
