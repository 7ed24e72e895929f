"""Planning which revisions of a history to measure.

Each plan measures 5 % of the revisions; results come at once. The series are like recorded
ones: log-normal with 1 % noise, and a change of about 10 % in 100 revisions. GPy plans as the paper did: it
fits a Gaussian process with the Brownian kernel anew at each step, with its default optimiser, and measures
where the variance is largest. Ours is the policy `paper`, which picks the same revisions; making the planner
is included.
`growing` asks for a tenth of the samples at hand at a time, but 16 at the least. Memory is the peak of what
Python allocates for planner and plan, taken in a further run. A plan of `shared-changes` that takes longer
than a minute is cut, and its row says where.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterable
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.frame import Row, medians_in_turn, seconds_of
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.results import Measurement, Metric, Result, Sample
from sonde.core.revisions import RevisionId
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.widest_gap import WidestGap
from sonde.numerics.segmentation.series import Array

ROUNDS = 3
SHARE = 0.05
LIMIT_SECONDS = 60.0  # of one plan, after which it is cut
GROWING = 0  # the size of a batch that grows with the samples

_GPY = """
import sys, time, warnings
import numpy as np
import GPy
warnings.simplefilter("ignore")
values = np.load(sys.argv[1])
places = np.arange(1.0, len(values) + 1)[:, None]  # its Brownian motion starts at 0
def plan(samples):
    measured = [0, len(values) - 1]
    while len(measured) < samples:
        model = GPy.models.GPRegression(places[measured], values[measured, None], GPy.kern.Brownian(1))
        model.optimize()
        _, variance = model.predict(places)
        variance[measured] = -1
        measured.append(int(np.argmax(variance)))
plan(4)
begin = time.perf_counter()
plan(round(float(sys.argv[2]) * len(values)))
print(time.perf_counter() - begin)
"""


class Recorded:
    """Series with the results of all their points, made beforehand."""

    def __init__(self, series: int, revisions: int) -> None:
        names = tuple(RevisionId(f"{position:040x}") for position in range(revisions))
        positions = tuple(range(revisions))
        self.revisions = revisions
        self.values = _courses(series, revisions)
        self.series = [
            Series(Configuration.of({"level": one}), "pack", Metric.CPU, names, positions, names)
            for one in range(series)
        ]

    def result(self, point: Point) -> Result:
        """What a point gives."""
        value = float(self.values[int(str(point.configuration["level"])), int(point.revision, 16)])
        return Result(point, Measurement((Sample(0, ((Metric.CPU, value),), 0.0),)))

    def plan(self, policy: Policy, batch: int, limit_seconds: float = inf) -> int:
        """Measure as a policy plans, or as far as it comes in so many seconds; how many samples that took."""
        begin = time.perf_counter()
        planner = HistoryPlanner(self.series, self.revisions, policy, allowance=_allowance)
        told = 0
        while requests := planner.ask(batch or max(16, told // 10)):
            planner.tell([self.result(request.point) for request in requests])
            told += len(requests)
            if time.perf_counter() - begin > limit_seconds:
                break
        return told


def rows() -> Iterable[Row]:
    """Times of whole plans, and their memory."""
    yield from _beside_gpy()
    for revisions, target in ((20_000, 1.0), (100_000, 10.0)):
        recorded = Recorded(1, revisions)
        for batch in (1, 16):
            what = f"`paper`, {revisions:,} revisions, {_in_words(batch)}"
            yield Row(what, _median(recorded, WidestGap(), batch), "s", target)
        what = f"`paper`, {revisions:,} revisions, peak memory a revision"
        yield Row(what, _peak_bytes(recorded, WidestGap()) / revisions, "bytes")
    for revisions in (1_000, 20_000, 100_000):
        recorded = Recorded(1, revisions)
        for batch in (16, GROWING):
            yield _shared_changes(f"{revisions:,} revisions", recorded, batch)
    recorded = Recorded(300, 800)
    for batch in (300, GROWING):
        yield _shared_changes("300 series x 800 revisions", recorded, batch)


def _shared_changes(size: str, recorded: Recorded, batch: int) -> Row:
    begin = time.perf_counter()
    told = recorded.plan(SharedChanges(), batch, LIMIT_SECONDS)
    seconds = time.perf_counter() - begin
    wanted = len(recorded.series) * _allowance(recorded.revisions)
    what = f"`shared-changes`, {size}, {_in_words(batch)}"
    return Row(what if told >= wanted else f"{what}, cut: {told:,} of {wanted:,} samples", seconds, "s")


def _beside_gpy() -> Iterable[Row]:
    recorded = Recorded(1, 1_000)
    recorded.plan(WidestGap(), 16)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "values.npy"
        np.save(file, recorded.values[0])
        measures = {
            batch: partial(seconds_of, partial(recorded.plan, WidestGap(), int(batch)))
            for batch in ("1", "16")
        }
        if is_installed("GPy"):
            measures["GPy"] = partial(seconds_of_peer, _GPY, str(file), str(SHARE))
        times = medians_in_turn(measures, ROUNDS)
    peer = times.get("GPy")
    for batch in ("1", "16"):
        target = peer / 1_000 if peer is not None else None
        what = f"`paper`, 1,000 revisions, {_in_words(int(batch))}"
        yield Row(what, times[batch], "s", target, "GPy, one at a time", peer)


def _median(recorded: Recorded, policy: Policy, batch: int) -> float:
    return medians_in_turn({"plan": partial(seconds_of, partial(recorded.plan, policy, batch))}, ROUNDS)[
        "plan"
    ]


def _peak_bytes(recorded: Recorded, policy: Policy) -> int:
    tracemalloc.start()
    recorded.plan(policy, 16)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def _in_words(batch: int) -> str:
    return {1: "one at a time", GROWING: "growing batches"}.get(batch, f"{batch} at a time")


def _allowance(revisions: int) -> int:
    return round(SHARE * revisions)


def _courses(series: int, revisions: int) -> Array:
    """Series of one subject change at the same revisions, each at some of these."""
    rng = np.random.default_rng(1)
    changed = np.flatnonzero(rng.random(revisions) < 0.02)
    steps = np.zeros((series, revisions))
    is_affected = rng.random((series, len(changed))) < 0.5
    steps[:, changed] = rng.normal(0, 0.1, (series, len(changed))) * is_affected
    # Levels of a long history do not wander off: an optimisation makes up for what was lost.
    levels = np.log(10) + np.sin(np.cumsum(steps, axis=1))
    return np.asarray(np.exp(levels + rng.normal(0, 0.01, (series, revisions))))
