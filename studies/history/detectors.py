"""Compares detectors of changes with the labels and the reference changes of recordings.

    python studies/history/detectors.py FOLDER [NAME...]

FOLDER holds the recordings; NAME is one of them (default: all that have labelled_changes.csv or
reference_changes.csv). Each series is judged on its own: changes match one to one within 5 positions, and the
counts of all series are added up. Values that are missing, zero or negative are left out. The peers, Apache
Otava and ruptures, run in .venv-peers, which `scripts/setup .venv-peers peers` makes; without it their rows
are absent.

Labels mark large changes only, so precision against them is a lower bound. The reference changes were found
without clipping spikes, so a detector that takes a spike for two changes has the better recall against them.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from sonde.numerics.segmentation.binary_segmentation import split_from_top
from sonde.numerics.segmentation.bottom_up import merge_from_bottom
from sonde.numerics.segmentation.cusum import detect_by_cusum
from sonde.numerics.segmentation.detection import DEFAULT_SETTINGS, DetectionSettings, detect_changes
from sonde.numerics.segmentation.least_squares import segment_by_least_squares
from sonde.numerics.segmentation.noise import estimate_noise
from sonde.numerics.segmentation.stopping import Grid, Penalty
from sonde.report.tables import table

TOLERANCE = 5  # positions
TRUTHS = ("labelled_changes.csv", "reference_changes.csv")
PEERS = Path(__file__).parents[2] / ".venv-peers" / "bin" / "python"
EVERY_PLACE = Grid(shortest=1, step=1)

SeriesName = tuple[str, str]  # configuration and benchmark
Positions = Sequence[int]
Detector = Callable[[Sequence[float]], Positions]

# Prints the changes of each series that a file lists, each with our penalty.
_PEERS_PROGRAM = """
import json, sys
import numpy as np
import ruptures
from otava.analysis import compute_change_points

def otava(magnitude):
    def detect(values, penalty):
        # A list: of an array it takes every window to be the whole series.
        found, _ = compute_change_points(values, max_pvalue=0.001, min_magnitude=magnitude)
        return [change.index for change in found]
    return detect

def kernel(values, penalty):
    algorithm = ruptures.KernelCPD(kernel="linear", min_size=1)
    return algorithm.fit(np.log(values)).predict(pen=penalty)[:-1]

def bottom_up(values, penalty):
    return ruptures.BottomUp(model="l2").fit(np.log(values)).predict(pen=penalty)[:-1]

detectors = {
    "Otava": otava(0.0),
    "Otava, 5 % gate": otava(0.05),
    "ruptures KernelCPD, our penalty": kernel,
    "ruptures BottomUp, our penalty": bottom_up,
}
series = json.load(open(sys.argv[1]))
answers = {name: [detect(*each) for each in series] for name, detect in detectors.items()}
print(json.dumps(answers, default=int))
"""


@dataclass(frozen=True)
class Recording:
    """Series of positive values, and the positions at which each changes, by kind of truth."""

    name: str
    values: Mapping[SeriesName, Sequence[float]]
    truths: Mapping[str, Mapping[SeriesName, Positions]]


def main(folder: Path, names: Sequence[str]) -> None:
    chosen = [folder / name for name in names] or [
        each for each in sorted(folder.iterdir()) if any((each / truth).is_file() for truth in TRUTHS)
    ]
    head = ["recording", "truth", "detector", "true", "found", "precision", "recall", "F1"]
    for each in chosen:
        print(table(head, list(judged(read_recording(each))), "lllrrrrr"), flush=True)


def judged(recording: Recording) -> Iterator[list[str]]:
    """A row for each truth and detector."""
    found: dict[str, Sequence[Positions]] = {
        name: [detect(values) for values in recording.values.values()] for name, detect in OURS.items()
    }
    found |= peers_found(list(recording.values.values()))
    for kind, truth in recording.truths.items():
        for detector, all_changes in found.items():
            pairs = [
                (truth[name], changes) for name, changes in zip(recording.values, all_changes, strict=True)
            ]
            yield [recording.name, kind.partition("_")[0], detector, *scores(pairs)]


def scores(pairs: Sequence[tuple[Positions, Positions]]) -> list[str]:
    """True and found changes, precision, recall and F1, over all series together."""
    true = sum(len(truth) for truth, _ in pairs)
    found = sum(len(changes) for _, changes in pairs)
    hits = sum(matches(truth, changes) for truth, changes in pairs)
    shares = (hits / max(found, 1), hits / max(true, 1), 2 * hits / max(true + found, 1))
    return [str(true), str(found), *(f"{share:.2f}" for share in shares)]


def matches(truth: Positions, found: Positions) -> int:
    """How many changes match one to one: each true one, in order, with the nearest that is left."""
    left = set(found)
    for change in truth:
        nearest = min(left, key=lambda other: (abs(other - change), other), default=math.inf)
        if abs(nearest - change) <= TOLERANCE:
            left.discard(int(nearest))
    return len(found) - len(left)


def our_penalty(values: Sequence[float]) -> float:
    """What the detector takes by default."""
    noise = estimate_noise(np.log(values), DEFAULT_SETTINGS.noise_floor)
    return DEFAULT_SETTINGS.penalty * noise**2 * math.log(len(values))


def detector_with(settings: DetectionSettings) -> Detector:
    return lambda values: [change.position for change in detect_changes(values, settings)]


OURS: Mapping[str, Detector] = {
    "default": detector_with(DEFAULT_SETTINGS),
    "default, spikes not clipped": detector_with(DetectionSettings(clip=math.inf)),
    "default, no gate": detector_with(DetectionSettings(magnitude=0.0)),
    "least squares": lambda values: segment_by_least_squares(np.log(values), our_penalty(values)),
    "binary segmentation": lambda values: split_from_top(
        np.log(values), Penalty(our_penalty(values)), EVERY_PLACE
    ),
    "bottom up": lambda values: merge_from_bottom(np.log(values), Penalty(our_penalty(values))),
    "CUSUM": detect_by_cusum,
}


def peers_found(all_values: Sequence[Sequence[float]]) -> Mapping[str, Sequence[Positions]]:
    """What the peers find in each series, by detector; empty where they are not installed."""
    words = [str(PEERS), "-c", "import otava, ruptures"]
    if not PEERS.exists() or subprocess.run(words, capture_output=True, check=False).returncode:
        return {}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "series.json"
        file.write_text(json.dumps([[list(values), our_penalty(values)] for values in all_values]))
        words = [str(PEERS), "-c", _PEERS_PROGRAM, str(file)]
        answer = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    found: Mapping[str, Sequence[Positions]] = json.loads(answer)
    return found


def read_recording(folder: Path) -> Recording:
    """The series of a recording in the order of revisions, without values that have no log."""
    points: dict[SeriesName, dict[int, float]] = defaultdict(dict)
    for row in _rows(folder / "points.csv.gz"):
        value = float(row["value"] or "nan")
        if math.isfinite(value) and value > 0:
            points[_name(row)][int(row["revision"])] = value
    truths = {
        kind: _positions(folder / kind, {name: sorted(each) for name, each in points.items()})
        for kind in TRUTHS
        if (folder / kind).is_file()
    }
    values = {name: [each[revision] for revision in sorted(each)] for name, each in points.items()}
    return Recording(folder.name, values, truths)


def _positions(file: Path, revisions: Mapping[SeriesName, Sequence[int]]) -> Mapping[SeriesName, Positions]:
    changed: dict[SeriesName, set[int]] = defaultdict(set)
    for row in _rows(file):
        changed[_name(row)].add(int(row["revision"]))
    return {
        name: [position for position, revision in enumerate(each) if revision in changed[name]]
        for name, each in revisions.items()
    }


def _name(row: Mapping[str, str]) -> SeriesName:
    return row.get("configuration", ""), row.get("benchmark", "")


def _rows(file: Path) -> Iterator[Mapping[str, str]]:
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
        yield from csv.DictReader(lines)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python studies/history/detectors.py FOLDER [NAME...]")
    main(Path(sys.argv[1]), sys.argv[2:])
