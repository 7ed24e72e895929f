"""Hit rate and dismiss rate (section III.C of the paper), with intervals and what was saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from sonde.core.findings.selection_rates import Rate, SelectionRates

Z = 1.959964  # 95 % of a normal distribution lie within


@dataclass(frozen=True)
class Decided:
    """What became of one tuple."""

    is_hit: bool
    is_run: bool
    is_proven: bool
    seconds: float


def rates_of(decided: Iterable[Decided]) -> SelectionRates:
    """Count what became of tuples."""
    every = list(decided)
    hits = [each for each in every if each.is_hit]
    others = [each for each in every if not each.is_hit]
    return SelectionRates(
        hit=rate(sum(each.is_run for each in hits), len(hits)),
        dismiss=rate(sum(not each.is_run for each in others), len(others)),
        proven=sum(each.is_proven and not each.is_run for each in every),
        proven_hits=sum(each.is_proven and not each.is_run for each in hits),
        seconds=sum(each.seconds for each in every),
        seconds_saved=sum(each.seconds for each in every if not each.is_run),
    )


def rate(part: int, whole: int) -> Rate:
    """A share with its score interval at 95 %.

    E. B. Wilson: Probable Inference, the Law of Succession, and Statistical Inference. 1927.
    """
    if not whole:
        return Rate(part, whole)
    share, shrink = part / whole, 1 + Z * Z / whole
    middle = (share + Z * Z / (2 * whole)) / shrink
    half = Z / shrink * sqrt(share * (1 - share) / whole + Z * Z / (4 * whole * whole))
    low = max(middle - half, 0.0) if part else 0.0
    high = min(middle + half, 1.0) if part < whole else 1.0
    return Rate(part, whole, low, high)
