"""What a look at pairs shows: the ratio with its interval, and the probability of that under no change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, log, sqrt
from statistics import fmean, stdev

import numpy as np

from sonde.core.findings.comparisons import Ratio
from sonde.methods.comparison.inversion import Array, estimate_and_interval
from sonde.methods.comparison.looks import Look, last_look, looks, spending
from sonde.methods.comparison.rules import ComparisonRules
from sonde.methods.comparison.scores import scores
from sonde.numerics.sign_flips import least_probability, probabilities

HIDDEN_SIDE_BY_SIDE = 1 / 6  # of a change: when the quicker run has ended, the other goes on undisturbed
ROOM = 8.0  # a test whose least probability is closer to the level rejects extreme scores alone


def ratio_of(
    pairs: Sequence[tuple[float, float]], rules: ComparisonRules, hidden: float = 0.0
) -> Ratio | None:
    """The ratio at the last look that there are enough pairs for, from base and head of each in turn.

    The order within each pair was drawn, so that without a change head and base may change places: every
    score is as likely with the other sign, and the test of their sum is exact, whatever the noise. Its
    interval is unbounded where few pairs cannot reach the level; Student's interval stands in for it
    there, for it can tell that a ratio is small. Heavy tails widen it, two modes may narrow it (see
    `is_settled`). The probability never rests on it, so it raises no alarm. Where measuring may hide a share
    of a change, the interval reaches to what would have been seen as its ends.
    """
    look = last_look(rules, len(pairs))
    if look is None:
        return None
    base = np.array([log(value) for value, _ in pairs[: look.pairs]])
    head = np.array([log(value) for _, value in pairs[: look.pairs]])
    level = spending(rules).level(look.number, rules.error)
    if is_by_scores(look, rules):
        middle, low, high = estimate_and_interval(base, head, level)
    else:
        logs = (head - base).tolist()
        middle, (low, high) = fmean(logs), students_interval(logs, level)
    low, high = min(low, low / (1 - hidden)), max(high, high / (1 - hidden))
    return Ratio(middle, low, high, look.pairs, _probability(base, head, look, rules))


def is_by_scores(look: Look, rules: ComparisonRules) -> bool:
    """Whether there are enough pairs at a look for an interval by scores; otherwise it is Student's."""
    level = spending(rules).level(look.number, rules.error)
    return ROOM * least_probability(look.pairs) <= level


def least_cap(rules: ComparisonRules) -> int:
    """The fewest pairs, from the user's cap on, with which a change can be told from chance at all."""
    cap = rules.most_pairs
    while not _can_discover(replace(rules, most_pairs=cap)):
        cap += 1
    return cap


def _can_discover(rules: ComparisonRules) -> bool:
    last = looks(rules)[-1]
    error = spending(rules).error(last.number, least_probability(last.pairs))
    return error <= rules.false_discoveries


def students_interval(values: Sequence[float], level: float) -> tuple[float, float]:
    """The mean with its two-sided interval; unbounded with a single value."""
    if len(values) < 2:
        return -inf, inf
    from scipy.special import stdtrit

    middle = fmean(values)
    half = float(stdtrit(len(values) - 1, 1 - level / 2)) * stdev(values) / sqrt(len(values))
    return middle - half, middle + half


def _probability(base: Array, head: Array, last: Look, rules: ComparisonRules) -> float:
    """Of what the looks so far show under no change: the least error with which one of them rejects."""
    found = 1.0
    for look in looks(rules)[: last.number + 1]:
        single = probabilities(scores(base[None, : look.pairs], head[None, : look.pairs]))
        found = min(found, spending(rules).error(look.number, float(single[0])))
    return found
