"""Which tuples are hits: instructions beyond the noise, or times that differ for certain.

A t-test on each pair of wall times, as in the paper, makes hits of code that the benchmark never reaches. So
instructions have a threshold that comes from such tuples, and times need a least effect and a bound on the
share of false discoveries among all tuples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, log, sqrt
from statistics import median

from sonde.methods.selection.examples import Example
from sonde.numerics.false_discoveries import discovered

LEAST_EFFECT = 0.001  # of instructions
NOISE_FACTOR = 3.0
LEAST_UNEXPLAINED = 5  # fewer say nothing about the noise
MEDIAN_TO_DEVIATION = 1.4826  # of a normal distribution: median of the sizes to standard deviation
LEAST_EFFECT_OF_TIMES = 0.03
FALSE_DISCOVERIES = 0.05  # the share of hits that may be none


def instruction_threshold(unexplained: Iterable[float]) -> float:
    """The smallest relative change of instructions that counts, from changes that nothing explains.

    Changes of exactly 0 are left out, for twins share their samples. The noise is told by the median, so that
    a few large ones do not hide the rest.
    """
    sizes = [abs(effect) for effect in unexplained if effect != 0]
    if len(sizes) < LEAST_UNEXPLAINED:
        return LEAST_EFFECT
    return max(LEAST_EFFECT, NOISE_FACTOR * MEDIAN_TO_DEVIATION * median(sizes))


def judged(examples: Iterable[Example], threshold: float) -> list[Example]:
    """The examples, with those as hits whose effect is above the threshold."""
    return [replace(example, is_hit=abs(example.effect) > threshold) for example in examples]


def judged_by_noise(examples: Sequence[Example]) -> tuple[list[Example], float]:
    """The examples as their instructions tell, and the threshold that follows from the proven ones."""
    threshold = instruction_threshold(example.effect for example in examples if example.is_proven)
    return judged(examples, threshold), threshold


def time_hits(
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]],
    least_effect: float = LEAST_EFFECT_OF_TIMES,
    false_discoveries: float = FALSE_DISCOVERIES,
) -> list[bool]:
    """Whether the positive times before and after differ, for each pair.

    Welch's test on logarithms, then Benjamini and Hochberg over all pairs; and the ratio of the geometric
    means must be beyond the least effect. Fewer than two times on a side are no hit.
    """
    found = discovered([_p_value(before, after) for before, after in pairs], false_discoveries)
    return [
        is_found and abs(time_effect(before, after)) >= least_effect
        for is_found, (before, after) in zip(found, pairs, strict=True)
    ]


def time_effect(before: Sequence[float], after: Sequence[float]) -> float:
    """The relative change of the geometric mean: 0.01 is 1 % more."""
    if not before or not after:
        return 0.0
    return exp(_mean(list(map(log, after))) - _mean(list(map(log, before)))) - 1


def _p_value(before: Sequence[float], after: Sequence[float]) -> float:
    """Welch's test on logarithms, two-sided."""
    if min(len(before), len(after)) < 2:
        return 1.0
    x, y = list(map(log, before)), list(map(log, after))
    a, b = _variance(x) / len(x), _variance(y) / len(y)
    difference = _mean(y) - _mean(x)
    if a + b <= 0:
        return 1.0 if difference == 0 else 0.0
    from scipy.special import stdtr

    freedom = (a + b) ** 2 / (a * a / (len(x) - 1) + b * b / (len(y) - 1))
    return float(2 * stdtr(freedom, -abs(difference) / sqrt(a + b)))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)
