"""Whether one run of a counted benchmark tells what all of its runs would."""

from __future__ import annotations

from collections.abc import Hashable

from sonde.core.results import Failed, Measurement, Metric

ENOUGH = 4  # points of which all runs agree to the last digit, and none of which they do not
STILL_REPEATED = 10  # one in so many points is repeated even then, so that it stays proven
TO_VERIFY = 2  # runs of which the second one only verifies the first; who asks for more wants them


class Repeats:
    """Hears of the counts of a benchmark in one environment, and tells how many runs a point needs.

    repeats = Repeats()
    repeats.hear(point, measurement)
    repeats.runs(usual=2)  # 2, until enough points agree, and then mostly 1
    """

    def __init__(self) -> None:
        self._agreeing: set[Hashable] = set()
        self._differing: set[Hashable] = set()
        self._asked = 0

    def are_spared(self, usual: int) -> bool:
        """Whether further runs of a point would only repeat its count."""
        return usual == TO_VERIFY and not self._differing and len(self._agreeing) >= ENOUGH

    def hear(self, point: Hashable, outcome: Measurement | Failed) -> None:
        """Take note of all runs of a point so far. Samples that hold more than a count were not simulated."""
        if isinstance(outcome, Failed) or len(outcome.samples) < 2:
            return
        counts = {sample.metrics for sample in outcome.samples}
        if all(metric is Metric.INSTRUCTIONS for metrics in counts for metric, _ in metrics):
            (self._agreeing if len(counts) == 1 else self._differing).add(point)

    def runs(self, usual: int) -> int:
        """The runs that the next point needs."""
        if not self.are_spared(usual):
            return usual
        self._asked += 1
        return 1 if self._asked % STILL_REPEATED else usual
