"""Section II and Figure 2 in short: how many changes CUSUM finds, by the size of its window."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sonde.effects.recordings.points import RecordedSeries
from sonde.numerics.segmentation.cusum import SMALLEST_WINDOW, detect_with_window, find_plateau
from studies.history.markdown import percent, table
from studies.history.recordings import Studied

WINDOWS = (0.05, 0.1, 0.2, 0.4)  # of the series

PLATEAU = 3 + len(WINDOWS)  # the column


def section(recordings: Sequence[Studied]) -> str:
    """Changes a series, at some windows and at the plateau."""
    head = ["recording", "series", "revisions", *(f"window {percent(one)}" for one in WINDOWS)]
    head += ["plateau", "its windows", "no change", "median amplitude"]
    rows = [_row(recording) for recording in recordings]
    return f"{table(head, rows, texts=1)}\n\n{_said(rows)}"


def _said(rows: Sequence[Sequence[str]]) -> str:
    numbers = ", ".join(f"{row[0]} {row[PLATEAU]}" for row in rows)
    return (
        f"Changes a series at the plateau: {numbers}. The paper tells of about one in each configuration, "
        "and of more where histories are long."
    )


def _row(recording: Studied) -> list[str]:
    at_windows = [np.mean([len(_changes(one, window)) for one in recording.series]) for window in WINDOWS]
    plateaus = [(one, find_plateau(one.values)) for one in recording.series]
    middles = [(one, plateau[(len(plateau) - 1) // 2]) for one, plateau in plateaus if plateau]
    sizes = [found.window / len(one.values) for one, found in middles]
    amplitudes = [
        abs(one.values[at] - one.values[at - 1]) / float(np.mean(one.values))
        for one, found in middles
        for at in found.changes
    ]
    return [
        recording.name,
        str(len(recording.series)),
        recording.revisions,
        *(f"{number:.2f}" for number in at_windows),
        f"{sum(len(found.changes) for _, found in middles) / len(plateaus):.2f}",
        f"{np.quantile(sizes, 0.25):.0%} to {np.quantile(sizes, 0.75):.0%}" if sizes else "-",
        f"{1 - len(middles) / len(plateaus):.0%}",
        f"{np.median(amplitudes):.0%}" if amplitudes else "-",
    ]


def _changes(series: RecordedSeries, window: float) -> tuple[int, ...]:
    size = max(SMALLEST_WINDOW, round(window * len(series.values)))
    return detect_with_window(series.values, size).changes
