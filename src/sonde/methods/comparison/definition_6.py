"""Definition 6 of the ConfFLARE paper: when a change of means counts as a regression, for reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev


@dataclass(frozen=True)
class Definition6:
    """The two numbers that the paper leaves to its user."""

    threshold: float = 0.1  # epsilon, "for our experiments" in section 4.3
    deviations: float = 3.0  # k

    def holds(self, base: Sequence[float], head: Sequence[float]) -> bool | None:
        """Whether the means differ by the threshold and by so many standard deviations of single runs.

        None with fewer than two runs on a side; values are positive. It holds for speed-ups as well. The
        deviations are those of the samples, not of their means, so that more runs do not make it any sharper.
        """
        if min(len(base), len(head)) < 2:
            return None
        unit = max(*base, *head)  # or squares may be too large for a number
        before, after = [value / unit for value in base], [value / unit for value in head]
        scatter = max(stdev(before), stdev(after))
        limit = max(self.threshold * fmean(before), self.deviations * scatter)
        return abs(fmean(after) - fmean(before)) >= limit
