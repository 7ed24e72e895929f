"""A check: the learning curve of our Brownian planner beside that of the paper's authors."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sonde.methods.history_sampling.widest_gap import WidestGap
from studies.history.recordings import Studied
from studies.history.sampling_table import bridge_error

TRACES = "paper_kernel_traces.csv.gz"
ITERATIONS = (5, 8, 16, 25, 42)  # 8, 25 and 42 are 1, 3 and 5 % of the paper's 850 revisions


def section(folder: Path, recordings: Sequence[Studied]) -> str:
    """One line for each recording whose system the traces have; empty without traces."""
    file = folder / TRACES
    if not file.is_file():
        return ""
    curves = _curves(file)
    lines = []
    for recording in recordings:
        system = recording.name.partition("-")[0]
        if system in curves and max(len(one.revisions) for one in recording.series) > max(ITERATIONS):
            lines.append(_line(recording, system, curves[system]))
    return "\n\n".join(lines)


def _line(recording: Studied, system: str, theirs: dict[int, list[float]]) -> str:
    pairs = []
    for number in ITERATIONS:
        ours = np.mean([bridge_error(WidestGap(), one, number) for one in recording.series])
        pairs.append(f"{number}: {ours:.1f} / {np.mean(theirs[number]):.1f} %")
    return (
        f"MAPE of the Brownian planner on {recording.name} with so many samples, ours / after so many "
        f"iterations of the authors on their {system}: {', '.join(pairs)}. Their "
        "iteration 0 has a model already, so theirs has more samples at each; their revisions and "
        "configurations are others."
    )


def _curves(file: Path) -> dict[str, dict[int, list[float]]]:
    curves: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    with gzip.open(file, "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["kernel"] == "Brownian":
                curves[row["system"]][int(row["iteration"])].append(float(row["mape_pct"]))
    return curves
