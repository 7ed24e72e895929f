"""Finding the changes of a series.

The values are log-normal with 2 % noise. The level changes by up to 20 %, on average once in 250 values, or
never: then pruning by minima alone, as in PELT, has no hold. Otava detects changes as we do, here with its
5 % gate. `KernelCPD(kernel="linear")` of ruptures is in C, and stands beside our segmentation by least
squares alone, on the same logs with the same penalty. The peers are warmed up first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.frame import Row, medians_in_turn, seconds_of
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.numerics.segmentation.detection import detect_changes
from sonde.numerics.segmentation.least_squares import segment_by_least_squares
from sonde.numerics.segmentation.series import Array

ROUNDS = 3
NOISE = 0.02

_OTAVA = """
import sys, time
import numpy as np
from otava.analysis import compute_change_points
values = np.load(sys.argv[1]).tolist()  # of an array, it takes every window to be the whole series
compute_change_points(values[:200], min_magnitude=0.05)
begin = time.perf_counter()
compute_change_points(values, min_magnitude=0.05)
print(time.perf_counter() - begin)
"""

_KERNEL_CPD = """
import sys, time
import numpy as np
import ruptures
logs = np.log(np.load(sys.argv[1]))
ruptures.KernelCPD(kernel="linear", min_size=1).fit(logs[:200]).predict(pen=1.0)
begin = time.perf_counter()
ruptures.KernelCPD(kernel="linear", min_size=1).fit(logs).predict(pen=float(sys.argv[2]))
print(time.perf_counter() - begin)
"""


def rows() -> Iterable[Row]:
    """Times of the detector and of the segmentation below it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "values.npy"
        for length, target in ((1_000, 0.02), (10_000, 0.2), (100_000, 5.0)):
            for rate, words in ((1 / 250, "a change in 250"), (0.0, "no change")):
                values = _series(length, rate)
                np.save(file, values)
                what = f"{length:,} values, {words}"
                # Without a change, the time of KernelCPD grows with the square of the length.
                yield from _rows_of(what, values, target, file, has_peers=length <= 10_000)


def _rows_of(what: str, values: Array, target: float, file: Path, has_peers: bool) -> Iterator[Row]:
    penalty = float(6 * NOISE**2 * np.log(len(values)))
    logs = np.log(values)
    measures: dict[str, Callable[[], float]] = {
        "detector": partial(seconds_of, partial(detect_changes, values)),
        "segmentation": partial(seconds_of, partial(segment_by_least_squares, logs, penalty)),
    }
    if has_peers and is_installed("otava"):
        measures["otava"] = partial(seconds_of_peer, _OTAVA, str(file))
    if has_peers and is_installed("ruptures"):
        measures["ruptures"] = partial(seconds_of_peer, _KERNEL_CPD, str(file), str(penalty))
    times = medians_in_turn(measures, ROUNDS)
    otava, kernel_cpd = ("Otava", "ruptures, KernelCPD") if has_peers else ("", "")
    yield Row(f"detect changes: {what}", times["detector"], "s", target, otava, times.get("otava"))
    yield Row(f"least squares: {what}", times["segmentation"], "s", target, kernel_cpd, times.get("ruptures"))


def _series(length: int, rate: float) -> Array:
    rng = np.random.default_rng(1)
    changed = np.flatnonzero(rng.random(length) < rate)
    levels = np.zeros(length)
    for level, start in zip(rng.uniform(-0.2, 0.2, len(changed)), changed, strict=True):
        levels[start:] = level
    return np.asarray(np.exp(levels + rng.normal(0, NOISE, length)))
