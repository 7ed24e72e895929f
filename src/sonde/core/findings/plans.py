"""Plans: what a command would take, and whether its budget is enough; nothing is built or run for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sonde.core.findings.pinpoints import Ground
from sonde.core.points import BenchmarkName
from sonde.core.revisions import Revision


@dataclass(frozen=True)
class Pace:
    """Elapsed seconds that a build and a run added in earlier commands; None: there was none."""

    build_seconds: float | None = None
    run_seconds: float | None = None


@dataclass(frozen=True)
class Effort:
    """Builds and runs, and the elapsed time that they take by the pace of earlier ones."""

    builds: int
    runs: int
    pace: Pace = Pace()

    @property
    def seconds(self) -> float | None:
        """Seconds; None where nothing is known of what is needed."""
        parts = [(self.builds, self.pace.build_seconds), (self.runs, self.pace.run_seconds)]
        if any(number and each is None for number, each in parts):
            return None
        return sum(number * (each or 0.0) for number, each in parts)


@dataclass(frozen=True)
class Sufficiency:
    """Whether a budget allows for an answer."""

    needed: int  # points that an answer usually takes
    allowed: int  # points that the budget allows for
    enough: str  # the least budget that is usually enough, as `--budget` takes it

    @property
    def is_short(self) -> bool:
        """Whether it will probably end without an answer."""
        return self.allowed < self.needed


@dataclass(frozen=True)
class HistoryPlan:
    """What `sonde history` would take at the most."""

    series: int
    revisions: int  # of the range
    points: int  # of all series
    known: int
    asked: int  # further points, at the most
    effort: Effort
    budget: str  # in words
    narrowing: int | None  # further points that each change takes at the most; None: nobody asked for that
    sufficiency: Sufficiency | None  # None: the budget does not limit points, or nobody knows to how many


@dataclass(frozen=True)
class PinpointPlan:
    """What `sonde pinpoint` usually takes, by a rehearsal on a made-up subject."""

    grounds: Mapping[BenchmarkName, Ground]
    usual: int  # points of all benchmarks, known ones included
    is_whole: bool  # False: the rehearsal was not watched to its end, so it takes even more
    effort: Effort  # builds and runs of these points that are missing
    budget: str  # in words
    sufficiency: Sufficiency | None  # None: the budget does not limit points, or nobody knows to how many


@dataclass(frozen=True)
class CheckPlan:
    """What `sonde check` would take at the most, if nothing but configurations can be left out."""

    base: Revision
    head: Revision
    cases: int
    near: int  # cases that are looked at first, by their profiles
    measured: int  # cases, audits included, at the most
    effort: Effort  # profiles count as runs
    pairs: int  # of a case at the most
    least_pairs: int  # with which a time can be called slower or faster; 0: nothing is timed
