"""The recordings that the study runs on, and the errors of estimates of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sonde.campaign.budget import Share
from sonde.effects.recordings.points import RecordedSeries, read_recording
from sonde.numerics.gaussian_processes.observations import Array

LEAST_REVISIONS = 20  # of a series, as the judge has it
SHARES = (0.01, 0.03, 0.05)
LARGEST_MAPE = 100.0  # a series that is lost counts as this much, as the judge has it
SOURCE = "Source:"

SeriesKey = tuple[str, str]  # configuration and benchmark


@dataclass(frozen=True)
class Studied:
    """A recording, and those of its series that are long enough."""

    folder: Path
    series: tuple[RecordedSeries, ...]
    source: str  # as its README names it

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def revisions(self) -> str:
        """How many revisions its series have."""
        least, most = (pick(len(one.revisions) for one in self.series) for pick in (min, max))
        return str(most) if least == most else f"{least} to {most}"

    @property
    def has_reference(self) -> bool:
        """Whether the judge has changes to compare with."""
        return (self.folder / "reference_changes.csv").is_file()

    def drawn(self, number: int, seed: int) -> tuple[RecordedSeries, ...]:
        """So many of its series, or all, drawn at random and in their order."""
        if len(self.series) <= number:
            return self.series
        chosen = np.random.default_rng(seed).choice(len(self.series), number, replace=False)
        return tuple(self.series[at] for at in sorted(chosen.tolist()))


def find_recordings(folder: Path) -> tuple[Studied, ...]:
    """Every sub-folder with points and a series that is long enough, by name."""
    found = []
    for each in sorted(folder.iterdir()):
        if not any((each / name).is_file() for name in ("points.csv", "points.csv.gz")):
            continue
        recorded = read_recording(each).series
        series = tuple(one for one in recorded if len(one.revisions) >= LEAST_REVISIONS)
        if series:
            found.append(Studied(each, series, _source(each / "README.md")))
    return tuple(found)


def _source(readme: Path) -> str:
    lines = readme.read_text().splitlines() if readme.is_file() else []
    named = [line.removeprefix(SOURCE).strip() for line in lines if line.startswith(SOURCE)]
    return named[0] if named else "its README names no source"


def points_of(share: float, revisions: int) -> int:
    """How many revisions of a series a share of them is; four at least, as for every budget of Sonde."""
    return Share(share).points(revisions)


def mape(predicted: Sequence[float] | Array, values: Sequence[float] | Array) -> float:
    """Mean absolute percentage error over all revisions, measured ones too; cut as the judge does."""
    true = np.asarray(values)
    return min(float(np.mean(np.abs(np.asarray(predicted) - true) / true)) * 100, LARGEST_MAPE)
