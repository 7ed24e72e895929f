"""The points of a recording by revision and configuration, for one benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.errors import UnknownBenchmark, UsageError
from sonde.core.options import Configuration
from sonde.effects.recordings.configurations import FILE_NAME, RecordedConfigurations, read_configurations
from sonde.effects.recordings.errors import mistake, quoted
from sonde.effects.recordings.points import RecordedSeries, Recording, read_recording
from sonde.effects.recordings.relative_deviations import FILE_NAME as DEVIATIONS_FILE_NAME
from sonde.effects.recordings.relative_deviations import read_relative_deviations

MOST_NAMES = 10  # of benchmarks that a message lists

ByName = Mapping[str, Mapping[int, float]]  # of a configuration, then by revision


@dataclass(frozen=True)
class RecordedGrid:
    """What was measured of one benchmark, and in which configurations."""

    name: str  # of the recording
    benchmark: str
    revisions: tuple[int, ...]  # all that occur, in increasing order
    configurations: RecordedConfigurations  # those that have a value
    values: ByName
    relative_deviations: ByName  # of the repetitions; empty where they are not wanted
    left_out: int  # values that are missing, zero, negative or no number, in all benchmarks


def read_grid(folder: Path, benchmark: str = "", with_deviations: bool = False) -> RecordedGrid:
    """The points of a benchmark, by the options of their configuration.

    Raises RecordingError or ModelError where the files do not fit together, and UsageError where the
    benchmark or the deviations that are wanted are not there.
    """
    recording = read_recording(folder)
    file = folder / FILE_NAME
    if not file.exists():
        raise mistake(
            str(folder),
            0,
            f"there is no {FILE_NAME}, so the options of its points are unknown. Write one, or use "
            "`sonde replay history`, which needs none.",
        )
    if "configuration" not in recording.key_columns:
        raise mistake(
            str(folder),
            0,
            "the points have no column 'configuration', so their options are unknown. Add it.",
        )
    series = _series_of(recording, benchmark, folder)
    return RecordedGrid(
        recording.name,
        series[0].benchmark,
        tuple(sorted({revision for each in series for revision in each.revisions})),
        _configurations(file, [each.configuration for each in series]),
        {each.configuration: dict(zip(each.revisions, each.values, strict=True)) for each in series},
        _deviations(folder, recording) if with_deviations else {},
        recording.left_out,
    )


def _series_of(recording: Recording, benchmark: str, folder: Path) -> Sequence[RecordedSeries]:
    names = list(dict.fromkeys(each.benchmark for each in recording.series))
    if not benchmark and len(names) > 1:
        raise UsageError(
            f"{folder}: there are {len(names)} benchmarks. Choose one with --benchmark: {_listed(names)}."
        )
    if benchmark and benchmark not in names:
        known = f"It has {_listed(names)}" if any(names) else "It has only one, without a name"
        raise UnknownBenchmark(f"{folder}: there is no benchmark {quoted(benchmark)}. {known}.")
    wanted = benchmark or names[0]
    return [each for each in recording.series if each.benchmark == wanted]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _configurations(file: Path, measured: Sequence[str]) -> RecordedConfigurations:
    """The configurations that have a value."""
    listed = read_configurations(file)
    found: dict[str, Configuration] = {}
    name_of: dict[Configuration, str] = {}
    for name in measured:
        if name not in listed.configurations:
            message = f"configuration {quoted(name)} has points, but is not listed. Add it."
            raise mistake(str(file), 0, message)
        found[name] = listed.configurations[name]
        first = name_of.setdefault(found[name], name)
        if first != name:
            message = f"configurations {quoted(first)} and {quoted(name)} have the same options"
            raise mistake(str(file), 0, f"{message}. Keep one of them, here and among the points.")
    return replace(listed, configurations=found)


def _deviations(folder: Path, recording: Recording) -> ByName:
    found = read_relative_deviations(folder, recording)
    if not found:
        raise UsageError(
            f"{folder}: there is no {DEVIATIONS_FILE_NAME}, so repeats cannot be drawn. Remove "
            "--draw-repeats: a repeat then returns the recorded value."
        )
    return {configuration: by_revision for (configuration, _), by_revision in found.items()}
