"""What counts as a change, and how much is measured to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType

from sonde.core.results import Metric
from sonde.methods.comparison.definition_6 import Definition6

THRESHOLDS: Mapping[Metric, float] = MappingProxyType(
    {
        Metric.INSTRUCTIONS: 0.01,
        Metric.CPU: 0.05,
        Metric.WALL: 0.05,
        Metric.MEMORY: 0.03,
        Metric.PRINTED: 0.05,
    }
)


@dataclass(frozen=True)
class ComparisonRules:
    """What the user wishes for. Thresholds are shares: 0.05 is 5 %."""

    thresholds: Mapping[Metric, float] = field(default_factory=lambda: THRESHOLDS)
    error: float = 0.05  # how often an interval may miss the ratio, over all looks of a case
    false_discoveries: float = 0.02  # the share of cases called slower or faster that may have no change
    least_pairs: int = 6  # before the first look
    most_pairs: int = 40  # of a case
    exact_runs: int = 2  # of each side, where runs agree
    definition_6: Definition6 = field(default_factory=Definition6)  # for reports

    def __post_init__(self) -> None:
        for metric in Metric:
            threshold = self.thresholds.get(metric, 0.0)
            if not (isfinite(threshold) and threshold > 0):
                raise ValueError(f"the threshold of {metric.value} must be above 0, not {threshold}")
        for name, share in (("error", self.error), ("false_discoveries", self.false_discoveries)):
            if not 0 < share < 1:
                raise ValueError(f"{name} must lie between 0 and 1, not {share}")
        if not (self.most_pairs >= 1 and self.least_pairs >= 2 and self.exact_runs >= 2):
            raise ValueError("there must be at least 1 pair, 2 before the first look, and 2 runs that agree")
