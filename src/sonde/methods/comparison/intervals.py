"""What a look at pairs shows: the ratio with its interval, and the probability of that under no change."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, stdev

from sonde.core.comparisons import Ratio
from sonde.methods.comparison.looks import Look, last_look, looks, spending
from sonde.methods.comparison.rules import Rules
from sonde.numerics import signed_rank

ROOM = 8.0  # a rank test whose least probability is closer to the level rejects extreme ranks alone


def ratio_of(logs: Sequence[float], rules: Rules) -> Ratio | None:
    """The ratio at the last look that there are enough pairs for, from the logarithms of head / base in turn.

    The order within each pair was drawn, so that without a change every logarithm is as likely with the other
    sign: the signed-rank test is exact then, whatever the noise. Its interval is unbounded where few pairs
    cannot reach the level; Student's interval, which heavy tails only widen, stands in for it there, for it
    can tell that a ratio is small. The probability never rests on it, so it raises no alarm.
    """
    look = last_look(rules, len(logs))
    if look is None:
        return None
    values = list(logs[: look.pairs])
    averages = signed_rank.walsh_averages(values)
    level = spending(rules).level(look.number, rules.error)
    if ROOM * signed_rank.least_probability(look.pairs) <= level:
        middle, (low, high) = signed_rank.estimate(averages), signed_rank.interval(averages, level)
    else:
        middle, (low, high) = fmean(values), students_interval(values, level)
    return Ratio(middle, low, high, look.pairs, _probability(logs, look, rules))


def students_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    """The mean with its two-sided interval; unbounded with a single value."""
    if len(values) < 2:
        return -inf, inf
    from scipy.special import stdtrit

    middle = fmean(values)
    half = float(stdtrit(len(values) - 1, 1 - level / 2)) * stdev(values) / sqrt(len(values))
    return middle - half, middle + half


def _probability(logs: Sequence[float], last: Look, rules: Rules) -> float:
    """Of what the looks so far show under no change: the least error with which one of them rejects."""
    found = 1.0
    for look in looks(rules)[: last.number + 1]:
        single = signed_rank.probability(signed_rank.walsh_averages(logs[: look.pairs]))
        found = min(found, spending(rules).error(look.number, single))
    return found
