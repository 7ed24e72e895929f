"""Two runs decide where runs agree, as counted instructions do."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log1p

from sonde.core.findings.comparisons import Ratio
from sonde.core.results import Metric

EXACT_METRICS = frozenset({Metric.INSTRUCTIONS})
AGREEMENT = 0.1  # of the threshold: runs of a side that differ by less agree


def exact_ratio(pairs: Sequence[tuple[float, float]], threshold: float) -> Ratio | None:
    """The ratio from the extremes of both sides, or None if the runs of a side do not agree.

    Values are positive. Nothing is drawn here, so the probability is 0 or 1.
    """
    base, head = [log(value) for value, _ in pairs], [log(value) for _, value in pairs]
    agreed = AGREEMENT * log1p(threshold)
    if max(base) - min(base) >= agreed or max(head) - min(head) >= agreed:
        return None
    low, high = min(head) - max(base), max(head) - min(base)
    is_apart = low > 0 or high < 0
    return Ratio((low + high) / 2, low, high, len(pairs), 0.0 if is_apart else 1.0)
