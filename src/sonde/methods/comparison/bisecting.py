"""Which revision of a range made it slower: where the level steps most, and which end a probe is like."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise
from math import ceil, inf, log, log2, tanh

SLOPES = (0.25, 0.5, 1.0, 2.0, 4.0)  # from many small advantages to a few large ones
UNUSUAL = 3.0  # times the median; what is larger is no longer worth more


class RangeEnd(Enum):
    """The end of a range that a revision is more like, on a logarithmic scale."""

    OLD = "old"
    NEW = "new"


def largest_step(levels: Sequence[float]) -> int:
    """The number of the known revision after which the level steps most, in the direction of the whole range.

    Levels are logarithms, at least two, in the order of the history. Of equal steps it is the last one, for
    nothing behind it can have made the end what it is.
    """
    sign = 1.0 if levels[-1] >= levels[0] else -1.0
    heights = [sign * (after - before) for before, after in pairwise(levels)]
    return max(range(len(heights)), key=lambda at: (heights[at], at))


def most_probes(revisions: int) -> int:
    """How many revisions are looked at before a range is told: twice as many as halving takes, and two.

    The rest is for revisions of which nothing can be said, and for ranges with several changes.
    """
    return 2 * ceil(log2(max(revisions, 2))) + 2


def leanings(logs_to_old: Sequence[float], logs_to_new: Sequence[float]) -> tuple[float, ...]:
    """How much nearer a probe is to the new end than to the old one, pair by pair, if the new end is slower.

    `logs_to_old` are logarithms of probe / old end, `logs_to_new` of new end / probe. With a change of D from
    end to end, each leaning is symmetric around D if the probe has the new level, and around -D if it has the
    old one; it is not necessary to know D.
    """
    return tuple(old - new for old, new in zip(logs_to_old, logs_to_new, strict=False))


def side_of(leanings: Sequence[float], error: float, change: float = 0.0) -> RangeEnd | None:
    """Which end it is nearer to; None as long as that cannot be told with so small an error.

    It may be asked after every pair, and the first answer stands: over any number of pairs, an answer is
    wrong with a probability of at most `error`, whatever the noise, if leanings are symmetric around their
    middle. For if there is nothing to tell, each of them is as likely to have the other sign, and a bet on
    the signs, whose stakes depend on the sizes alone, is a fair game: it multiplies the money by more than
    1 / error with a probability of at most `error` (Ville's inequality).

    Who knows that the middle is at least `change` away from zero is told with fewer pairs; if it is nearer,
    the answer means nothing.
    """
    for_new = _winnings([leaning + change for leaning in leanings], 1.0)
    for_old = _winnings([leaning - change for leaning in leanings], -1.0)
    for of_new, of_old in zip(for_new, for_old, strict=True):
        if max(of_new, of_old) >= 1.0 / error:
            return RangeEnd.NEW if of_new >= of_old else RangeEnd.OLD
    return None


def is_step(changes: Sequence[float], error: float, whole: float) -> bool | None:
    """Whether there is a change in the direction of `whole`, by pairs; None as long as it is not clear.

    Changes and the whole one are logarithms. True is wrong with a probability of at most `error` if nothing
    has changed, as with `side_of`; False means that it is less than half of the whole change.
    """
    sign = -1.0 if whole < 0 else 1.0
    toward = [sign * change for change in changes]
    if side_of(toward, error) is RangeEnd.NEW:
        return True
    less = [change - abs(whole) / 2 for change in toward]
    return False if side_of(less, error) is RangeEnd.OLD else None


def _winnings(leanings: Sequence[float], sign: float) -> Iterator[float]:
    """What bets on that sign have become after each pair: the mean over all slopes.

    The stake is tanh(slope * size / usual size), which is the best one for normal noise whose mean and
    variance have that ratio; but a size that is not usual at all tells little, so little is staked on it.
    """
    money = [1.0] * len(SLOPES)
    sizes: list[float] = []
    for leaning in leanings:
        if leaning != 0:
            insort(sizes, abs(leaning))
            size = sign * leaning / sizes[(len(sizes) - 1) // 2]
            weighed = 1.0 / (1.0 / size + size / UNUSUAL**2)
            money = [each * (1.0 + tanh(slope * weighed)) for each, slope in zip(money, SLOPES, strict=True)]
        yield sum(money) / len(SLOPES)


def log_ratios(pairs: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """The logarithm of second / first of each pair that has one."""
    return tuple(log(second / first) for first, second in pairs if 0 < first < inf and 0 < second < inf)
