"""The one place that decides whether a case is slower, faster or equal; docs/how-we-decide.md in code."""

from __future__ import annotations

from math import log1p, sqrt

from sonde.core.findings.comparisons import Ratio, Verdict

NEAR = 0.5  # of half an interval: more would spare pairs and call more small changes slower


def decide(ratio: Ratio, threshold: float, *, is_discovery: bool) -> Verdict:
    """What a ratio says, with a threshold as a share.

    Equal if the whole interval lies within the threshold on both sides. Slower (faster) if the interval lies
    above (below) zero, and the change stands out among all cases of the check. So an interval that is
    narrower than the threshold always decides, but for what may be a chance find.
    """
    least = log1p(threshold)
    if -least < ratio.low and ratio.high < least:
        return Verdict.EQUAL
    if not is_discovery:
        return Verdict.INCONCLUSIVE
    if ratio.low > 0:
        return Verdict.SLOWER
    if ratio.high < 0:
        return Verdict.FASTER
    return Verdict.INCONCLUSIVE


def is_settled(
    ratio: Ratio, verdict: Verdict, threshold: float, most_pairs: int, *, is_by_scores: bool = True
) -> bool:
    """Whether further pairs, up to so many in all, are a waste.

    A slower or faster case may still turn out to be equal. It hardly will if its estimate is so near to the
    threshold that all pairs together would have to move it by a good part of the interval they are
    expected to give. An equal case that did change is looked at again by scores: few pairs with two modes may
    all have the same one, and lie closer together than the noise is.
    """
    if verdict is Verdict.EQUAL:
        return is_by_scores or ratio.low <= 0 <= ratio.high
    if verdict not in (Verdict.SLOWER, Verdict.FASTER):
        return False
    expected_half = (ratio.high - ratio.low) / 2 * sqrt(min(ratio.pairs / most_pairs, 1.0))
    return abs(ratio.log) + NEAR * expected_half >= log1p(threshold)
