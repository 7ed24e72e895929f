"""Which pairs the machine disturbed, told by their gauges and never by what was measured.

What spoils a ratio is not a busy machine, which slows both runs of a pair alike, but one that is busy during
one of them only. So a pair is *disturbed* if its two runs were met much more unevenly than those of the other
pairs: under a steady load nothing is. Unevenness has no sign, so where nothing has changed a pair that speaks
for the head is as likely to be left out as one that speaks for the base, and tests stay as exact as before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, comb, inf, log
from statistics import median

from sonde.core.findings.comparisons import Pair
from sonde.core.results import Metric, Sample

MOST_REPEATED = 0.5  # so many pairs more than were wanted, as a share, to replace those that were disturbed
FAR = 4.0  # standard deviations from what is usual
NANOSECOND = 1e-9  # no clock tells less; a rate over less is no number
TO_DEVIATION = 1.4826  # makes a median absolute deviation a standard deviation, if normal
WAITING = 0.15  # pressure from which on a machine is loaded
ONE_SIDED = 0.3  # chance of a machine that meets one side as often; to keep pairs is never wrong

Gauge = Callable[[Sample], float]


def _pressure(sample: Sample) -> float:
    return sample.gauges.pressure


def _switches_per_second(sample: Sample) -> float:
    seconds = sample.values.get(Metric.WALL, 0.0)
    return sample.gauges.involuntary_switches / seconds if seconds >= NANOSECOND else 0.0


def _waiting(sample: Sample) -> float:
    values = sample.values
    wall, cpu = values.get(Metric.WALL, 0.0), values.get(Metric.CPU, 0.0)
    return log(wall) - log(cpu) if wall > 0 and cpu > 0 else 0.0


# Each with the unevenness that is never far, however even the other pairs are. Waiting makes wall times
# longer by as much, but cpu times hardly: on a loaded machine, pairs that were met unevenly scattered no more
# than the others. Where one looks at wall times, the ratio of wall to cpu is no gauge but the value itself.
# Neither memory nor instructions are disturbed.
_FOR_WALL: Mapping[Gauge, float] = {_pressure: 0.15, _switches_per_second: 1000.0}
_GAUGES: Mapping[Metric, Mapping[Gauge, float]] = {
    Metric.CPU: {_pressure: 0.4, _switches_per_second: 1000.0, _waiting: log(2)},
    Metric.WALL: _FOR_WALL,
    Metric.PRINTED: _FOR_WALL,
}


def disturbed(metric: Metric, pairs: Sequence[Pair]) -> frozenset[int]:
    """The numbers of the pairs that were disturbed, compared with the others.

    If mostly the same side was met, it may be the side that is unquiet and not the machine: then none was.
    """
    found: dict[int, float] = {}
    for gauge, floor in _GAUGES.get(metric, {}).items():
        differences = {pair.number: gauge(pair.head) - gauge(pair.base) for pair in pairs}
        limit = _limit([abs(difference) for difference in differences.values()], floor)
        found |= {number: difference for number, difference in differences.items() if abs(difference) > limit}
    if _chance(sum(difference > 0 for difference in found.values()), len(found)) <= ONE_SIDED:
        return frozenset()
    return frozenset(found)


def due(metric: Metric, pairs: Sequence[Pair], wanted: int) -> int:
    """How many more pairs it takes to have so many undisturbed ones, or until enough were repeated."""
    undisturbed = len(pairs) - len(disturbed(metric, pairs))
    allowed = wanted + ceil(MOST_REPEATED * wanted) - len(pairs)
    return max(0, min(wanted - undisturbed, allowed))


def usable(metric: Metric, pairs: Sequence[Pair], wanted: int) -> tuple[Pair, ...]:
    """The pairs to decide by, in order: the undisturbed ones, and the first others if those are too few."""
    left_out = disturbed(metric, pairs)
    others = [pair.number for pair in pairs if pair.number in left_out]
    missing = max(0, wanted - (len(pairs) - len(others)))
    kept = frozenset(others[:missing])
    return tuple(pair for pair in pairs if pair.number not in left_out or pair.number in kept)


@dataclass(frozen=True)
class Unrest:
    """How much the machine disturbed the pairs of a comparison."""

    pairs: int
    disturbed: int
    kept: int  # of the disturbed: those that could not be replaced
    deviation: float  # standard deviation of the log ratio of a pair, by medians
    pressure: float  # share of the time in which some process waited for a processor; the median of all runs

    def __add__(self, other: Unrest) -> Unrest:
        """That of both, by the worse one."""
        return Unrest(
            self.pairs + other.pairs,
            self.disturbed + other.disturbed,
            self.kept + other.kept,
            max(self.deviation, other.deviation),
            max(self.pressure, other.pressure),
        )

    @property
    def in_words(self) -> str:
        """How noisy the machine is, as a clause."""
        parts = [f"equal runs differ by about {self.deviation * 100:.0f} %"]
        if self.pressure >= WAITING:
            parts.append(f"processes wait for a CPU {self.pressure * 100:.0f} % of the time")
        if self.disturbed:
            parts.append(f"{self.disturbed} of {self.pairs} pairs were disturbed")
        return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def unrest_in(metric: Metric, pairs: Sequence[Pair], wanted: int) -> Unrest:
    """How much the machine disturbed these pairs, of which so many were wanted."""
    left_out = disturbed(metric, pairs)
    kept = sum(pair.number in left_out for pair in usable(metric, pairs, wanted))
    values = [pair.values(metric) for pair in pairs]
    ratios = [log(head) - log(base) for base, head in values if 0 < base < inf and 0 < head < inf]
    middle = median(ratios) if ratios else 0.0
    deviation = TO_DEVIATION * median(abs(ratio - middle) for ratio in ratios) if ratios else 0.0
    # Side by side, each run waits for the other one.
    alone = [pair for pair in pairs if not pair.is_side_by_side]
    pressures = [_pressure(sample) for pair in alone for sample in (pair.base, pair.head)]
    return Unrest(len(pairs), len(left_out), kept, deviation, median(pressures) if pressures else 0.0)


def _limit(unevenness: Sequence[float], floor: float) -> float:
    """How uneven a pair may be: far from the median of all, and more than what is never far."""
    if not unevenness:
        return inf
    middle = median(unevenness)
    deviation = TO_DEVIATION * median(abs(each - middle) for each in unevenness)
    return middle + max(FAR * deviation, floor)


def _chance(heads: int, all_of_them: int) -> float:
    """Of so many tosses, or fewer, or as many of the other side, on one side of a coin; a sign test."""
    fewer = min(heads, all_of_them - heads)
    ways: int = sum(comb(all_of_them, k) for k in range(fewer + 1))
    return min(1.0, ways / 2.0 ** (all_of_them - 1))
