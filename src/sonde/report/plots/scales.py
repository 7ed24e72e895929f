"""The vertical axis of a plot: where a value stands, and which values get a label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from sonde.core.findings.histories import Estimate

LOG_FROM = 20  # ratio of the largest to the smallest value
LEAST_SPAN = 0.005  # of the level: what differs by less looks flat, and four digits still tell labels apart
WANTED_LABELS = 4
_TINY = 1e-300  # stands for zero on a logarithmic axis
_PADDING = 0.04  # so that the line does not run along the edge


@dataclass(frozen=True)
class Scale:
    """A vertical axis from `low` to `high`; both are decimal logarithms where `is_log`."""

    low: float
    high: float
    is_log: bool = False

    def share(self, value: float) -> float:
        """The height of `value`: 0 at the lower end, 1 at the upper; what lies beyond stays at the end."""
        height = (_height(value, self.is_log) - self.low) / (self.high - self.low)
        return min(max(height, 0.0), 1.0)

    def labelled(self) -> tuple[float, ...]:
        """Three to five round values, the lowest first."""
        choices = _log_choices(self.low, self.high) if self.is_log else _choices(self.low, self.high)
        return min(choices, key=lambda values: abs(len(values) - WANTED_LABELS))


def scale_of(estimates: Sequence[Estimate]) -> Scale:
    """The axis that shows all values, and as much of their bands as does not press the line flat."""
    values = [each.value for each in estimates]
    bands = [(each.low, each.high) for each in estimates]
    is_log = _spans_magnitudes(min(values), max(values))
    if is_log:
        bands = [(_height(low, is_log), _height(high, is_log)) for low, high in bands]
    lowest, highest = _height(min(values), is_log), _height(max(values), is_log)
    margin = max((highest - lowest) / 2, median(high - low for low, high in bands))
    low = max(min(low for low, _ in bands), lowest - margin)
    high = min(max(high for _, high in bands), highest + margin)
    return _padded(low, high, is_log, LEAST_SPAN)


def scale_between(lowest: float, highest: float, least_span: float) -> Scale:
    """The axis from one value to another; it spans at least that share of the level."""
    is_log = _spans_magnitudes(lowest, highest)
    return _padded(_height(lowest, is_log), _height(highest, is_log), is_log, least_span)


def _padded(low: float, high: float, is_log: bool, least_span: float) -> Scale:
    least = 1.0 if is_log else least_span * abs(low + high) / 2 or 1.0
    padding = max((least - (high - low)) / 2, _PADDING * (high - low))
    return Scale(low - padding, high + padding, is_log)


def _spans_magnitudes(lowest: float, highest: float) -> bool:
    return lowest > 0 and highest / lowest > LOG_FROM


def _height(value: float, is_log: bool) -> float:
    return math.log10(max(value, _TINY)) if is_log else value


def _choices(low: float, high: float) -> Iterator[tuple[float, ...]]:
    """Multiples of 1, 2, 2.5 and 5 times a power of ten between the ends; wide steps first."""
    for power in range(math.ceil(math.log10(high - low)), math.ceil(math.log10(high - low)) - 3, -1):
        for digits in (5, 2.5, 2, 1):
            step = digits * 10.0**power
            if (high - low) / step < 3 * WANTED_LABELS:
                numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
                yield tuple(number * step for number in numbers)


def _log_choices(low: float, high: float) -> Iterator[tuple[float, ...]]:
    """Powers of ten between the ends, every one or every few, or more than one a decade."""
    decades = range(math.floor(low), math.ceil(high) + 1)
    for digits in ((1,), (1, 3), (1, 2, 5)):
        yield _between(low, high, (digit * 10.0**power for power in decades for digit in digits))
    for step in range(2, max(3, len(decades) // 2)):
        yield _between(low, high, (10.0**power for power in decades if power % step == 0))


def _between(low: float, high: float, values: Iterable[float]) -> tuple[float, ...]:
    return tuple(value for value in values if low <= math.log10(value) <= high)
