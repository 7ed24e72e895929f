"""A rule with a promise: the share of the cost that changed, with a conformal threshold.

If revisions that change performance are exchangeable, the smallest hit of the next one lies below the k-th
smallest of n with a probability of at most k / (n + 1), whatever their distribution. The largest k for which
this is no more than what may be missed gives the threshold. Fewer than 1 / (1 - catch) - 1 such revisions
promise nothing: 95 % need 19.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf

from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import Values
from sonde.methods.selection.predictors import Predictor, ReachedAndChanged

_ROUNDING = 1e-9  # 1 - 0.95 is not quite 0.05


def score(values: Values) -> float:
    """How much of the cost is in functions that changed or that read changed constants, in percent.

    Where only constants changed, and nobody knows who reads them, it is infinite.
    """
    share = values.get("share", 0.0)
    if "readshare" in values:
        return max(share, values["readshare"])
    return inf if share <= 0 < values.get("objch", 0.0) else share


@dataclass(frozen=True)
class ShareRule:
    """Runs a benchmark if enough of its cost changed."""

    threshold: float  # percent, above 0
    catch: float  # the share of hits that it promises to catch
    revisions: int  # with hits, that it was learned from
    dismissed: float | None  # the share of the other examples that it dismisses; None without any
    warnings: tuple[str, ...] = ()

    def runs(self, values: Values) -> bool:
        """Whether enough changed."""
        return score(values) >= self.threshold

    def words(self) -> str:
        """The rule, with its promise and its price."""
        rule = f"Run a benchmark if functions with at least {self.threshold:.3g} % of its cost changed"
        promise = f"finds {100 * self.catch:.4g} % of changes, by {self.revisions} revisions with some"
        if self.dismissed is None:
            return f"{rule} ({promise})."
        return f"{rule} ({promise}; skips {100 * self.dismissed:.0f} % of the unproven rest)."

    def why(self, values: Values) -> str:
        """How much changed."""
        found = score(values)
        if found == inf:
            return "constants that it reads changed"
        return f"functions with {found:.3g} % of its cost changed, {self.threshold:.3g} % are the limit"


@dataclass(frozen=True)
class ShareLearner:
    """Learns the largest threshold that keeps the promise."""

    catch: float = 0.95  # the share of hits to catch, above 0 and below 1

    def learn(self, examples: Sequence[Example]) -> Predictor:
        """The rule; whatever changed runs where there are too few hits to promise anything."""
        scores = sorted(_scores(examples))
        if not scores:
            return ReachedAndChanged("no performance changes are known to learn from")
        k = floor((1 - self.catch) * (len(scores) + 1) + _ROUNDING)
        if k < 1:
            return ReachedAndChanged(
                f"to guarantee {100 * self.catch:.4g} % takes {least_hits(self.catch)} revisions that "
                f"changed performance, and {len(scores)} are known"
            )
        threshold = scores[k - 1]
        if threshold <= 0:
            return ReachedAndChanged("too many of the known performance changes are visible in no function")
        rest = [score(example.values) for example in examples if not example.is_hit]
        # An infinite threshold would be a rule about constants alone.
        finite = threshold if threshold < inf else 100.0
        dismissed = sum(each < finite for each in rest) / len(rest) if rest else None
        return ShareRule(finite, self.catch, len(scores), dismissed)


def _scores(examples: Sequence[Example]) -> Iterable[float]:
    """The smallest score of each revision that changed performance since the revision before it.

    Hits of one revision know of each other, and so do pairs of revisions that span the same change.
    """
    smallest: dict[str, float] = {}
    for example in examples:
        if example.is_hit and example.hops == 1:
            smallest[example.revision] = min(score(example.values), smallest.get(example.revision, inf))
    return smallest.values()


def least_hits(catch: float) -> int:
    """How many hits it takes to promise a hit rate."""
    return max(ceil(1 / (1 - catch) - 1 - _ROUNDING), 1)
