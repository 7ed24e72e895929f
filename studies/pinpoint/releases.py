"""Recordings of all configurations at every release, as tables of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sonde.core.options import Configuration, Option
from sonde.effects.recordings.configurations import FILE_NAME, read_configurations
from sonde.effects.recordings.points import read_recording
from sonde.effects.recordings.relative_deviations import read_relative_deviations
from sonde.numerics.sparse_regression import Array

# Deviations are those of single runs, and values seem to be means of some: in steps without a large change,
# what is left unexplained is .53 (lrzip), .61 (MariaDB), .75 (FastDownward) and .54 (HSQLDB) of what the
# deviations make one expect, in the median. Half of it is the least that was seen nearly everywhere.
OF_MEANS = 0.5
QUIET_SHARE = 0.25  # of the steps; where no deviations are known, these tell the noise
TO_DEVIATION = 1.4826  # of a normal distribution, from the median of absolute deviations


@dataclass(frozen=True, eq=False)
class Releases:
    """What was recorded: a row a configuration, and a column a release; NaN where there is no value."""

    name: str
    revisions: tuple[int, ...]
    options: tuple[Option, ...]
    configurations: tuple[Configuration, ...]
    values: Array
    deviations: Array  # relative, of a run

    @property
    def log_steps(self) -> Array:
        """From each release to the next, as log ratios."""
        return np.diff(np.log(self.values), axis=1)

    def noise(self, step: int) -> float:
        """How much log steps to release `step` deviate by noise alone, or in the quietest steps of all."""
        both = self.deviations[:, step - 1 : step + 1]
        if np.isfinite(both).all(axis=1).any():
            return OF_MEANS * float(np.sqrt(np.nanmean(np.nansum(both**2, axis=1))))
        steps = self.log_steps
        spreads = np.nanmedian(np.abs(steps - np.nanmedian(steps, axis=0)), axis=0)
        return TO_DEVIATION * float(np.quantile(spreads, QUIET_SHARE))


def read_releases(folder: Path) -> Releases:
    """The recording in a folder; it has configurations and no benchmarks. Raises UserError."""
    recording = read_recording(folder)
    listed = read_configurations(folder / FILE_NAME)
    deviations = read_relative_deviations(folder, recording)
    revisions = sorted({revision for series in recording.series for revision in series.revisions})
    at = {revision: position for position, revision in enumerate(revisions)}
    values = np.full((len(recording.series), len(revisions)), np.nan)
    spreads = values.copy()
    for row, series in enumerate(recording.series):
        values[row, [at[revision] for revision in series.revisions]] = series.values
        for revision, deviation in deviations.get(series.key, {}).items():
            if revision in at:
                spreads[row, at[revision]] = deviation
    return Releases(
        recording.name,
        tuple(revisions),
        listed.options,
        tuple(listed.configurations[series.configuration] for series in recording.series),
        values,
        spreads,
    )
