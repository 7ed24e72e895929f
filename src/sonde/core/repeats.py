"""Whether one run of a counted benchmark tells what all of its runs would."""

from __future__ import annotations

from collections.abc import Hashable

from sonde.core.results import Failed, Measurement, Metric

ENOUGH = 4  # points of which all runs agree to the last digit, and none of which they do not
STILL_REPEATED = 10  # one in so many points is repeated even then, so that it stays proven
TO_VERIFY = 2  # runs of which the second one only verifies the first; who asks for more wants them


class Repeats:
    """Takes the counts of a benchmark in one environment, and says how many runs a point needs.

    repeats = Repeats()
    repeats.runs(usual=2)  # 2, until enough points agree, and then mostly 1
    repeats.may_ask(pending=3, usual=2)  # False where the pending points will decide that
    repeats.hear(point, measurement)
    """

    def __init__(self) -> None:
        self._agreeing: set[Hashable] = set()
        self._differing: set[Hashable] = set()
        self._asked = 0

    def are_spared(self, usual: int) -> bool:
        """Whether further runs of a point would only repeat its count."""
        return usual == TO_VERIFY and not self._differing and len(self._agreeing) >= ENOUGH

    def may_ask(self, pending: int, usual: int) -> bool:
        """Whether a further point is asked for at once: the pending ones may show that one run is enough."""
        is_open = usual == TO_VERIFY and not self._differing and len(self._agreeing) < ENOUGH
        return not is_open or len(self._agreeing) + pending < ENOUGH

    def hear(self, point: Hashable, outcome: Measurement | Failed) -> None:
        """Take note of all runs of a point so far. Samples that hold more than a count are not simulated."""
        if isinstance(outcome, Failed):
            return
        counts = {sample.metrics for sample in outcome.samples}
        if any(metric is not Metric.INSTRUCTIONS for metrics in counts for metric, _ in metrics):
            self._differing.add(point)
        elif len(outcome.samples) > 1:
            (self._agreeing if len(counts) == 1 else self._differing).add(point)

    def runs(self, usual: int) -> int:
        """The runs that the next point needs."""
        if not self.are_spared(usual):
            return usual
        self._asked += 1
        return 1 if self._asked % STILL_REPEATED else usual
