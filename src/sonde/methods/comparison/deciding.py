"""The one place that decides whether a point is slower, faster or equal; docs/how-we-decide.md in code."""

from __future__ import annotations

from math import log1p

from sonde.core.comparisons import Ratio, Verdict


def decide(ratio: Ratio, threshold: float, *, is_discovery: bool) -> Verdict:
    """What a ratio says, with a threshold as a share.

    Equal if the whole interval lies within the threshold on both sides. Slower (faster) if the interval lies
    above (below) zero, and the change stands out among all points of the check. So an interval that is
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


def is_settled(ratio: Ratio, verdict: Verdict, threshold: float) -> bool:
    """Whether further pairs are a waste.

    A slower or faster point whose estimate is below the threshold may still turn out to be equal.
    """
    if verdict is Verdict.EQUAL:
        return True
    return verdict in (Verdict.SLOWER, Verdict.FASTER) and abs(ratio.log) >= log1p(threshold)
