"""The learners that the study compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sonde.core.findings.selection_rates import Rate, SelectionRates
from sonde.methods.selection.evaluation import Way
from sonde.methods.selection.examples import Example
from sonde.methods.selection.greedy import OF_PAPER, GreedyLearner
from sonde.methods.selection.predictors import Learner, Predictor, PredictorScope, ReachedAndChanged
from sonde.methods.selection.rates import rate
from sonde.methods.selection.share import ShareLearner

THRESHOLDS = (0.001, 0.01, 0.05)


@dataclass(frozen=True)
class LearnsNothing:
    """Leaves everything to the proof."""

    def learn(self, examples: Sequence[Example]) -> Predictor:
        """Runs whatever is not proven unchanged."""
        return ReachedAndChanged("nothing is learned")


@dataclass(frozen=True)
class Contender:
    """A learner, with or without a proof before it."""

    name: str
    learner: Learner
    has_proof: bool = True

    def way(self, scope: PredictorScope = PredictorScope.COMMON) -> Way:
        """How predictors are made."""
        return Way(self.learner, scope)

    def seen(self, examples: Sequence[Example]) -> list[Example]:
        """The examples as it sees them."""
        if self.has_proof:
            return list(examples)
        return [replace(each, is_proven=False) for each in examples]


PAPER = Contender("Table I, no proof", GreedyLearner(OF_PAPER), has_proof=False)
PAPER_PROVEN = Contender("Table I", GreedyLearner(OF_PAPER))
GREEDY = Contender("greedy", GreedyLearner())
SHARE = Contender("share, 95 %", ShareLearner(0.95))
PROOF = Contender("proof alone", LearnsNothing())
ALL = (PAPER, PAPER_PROVEN, GREEDY, SHARE, PROOF)


@dataclass(frozen=True)
class Averaged:
    """Rates over several partitions of the same tuples.

    Partitions do not add tuples, so intervals are those of one pass with the mean number of successes.
    """

    hit: float | None
    dismiss: float | None
    hit_interval: Rate
    dismiss_interval: Rate
    time_saved: float | None

    @classmethod
    def of(cls, several: Sequence[SelectionRates]) -> Averaged:
        """The means."""
        hits = [each.hit for each in several]
        dismisses = [each.dismiss for each in several]
        saved = [each.time_saved for each in several if each.time_saved is not None]
        return cls(
            _mean(hits),
            _mean(dismisses),
            _interval(hits),
            _interval(dismisses),
            sum(saved) / len(saved) if saved else None,
        )

    def __str__(self) -> str:
        return f"{shown(self.hit)} / {shown(self.dismiss)}"


def shown(value: float | None) -> str:
    """A rate as the paper prints it; n/a where there is nothing to take a rate of."""
    return "n/a" if value is None else f"{value:.2f}"


def both(rates: SelectionRates) -> str:
    """Hit and dismiss rate."""
    return f"{shown(rates.hit.value)} / {shown(rates.dismiss.value)}"


def interval(of: Rate) -> str:
    """The 95 % interval of a rate."""
    return f"{of.low:.2f} to {of.high:.2f}" if of.whole else "n/a"


def percent(share: float) -> str:
    """A threshold: 0.1 %."""
    return f"{100 * share:.3g} %"


def _mean(rates: Sequence[Rate]) -> float | None:
    known = [each.value for each in rates if each.value is not None]
    return sum(known) / len(known) if known else None


def _interval(rates: Sequence[Rate]) -> Rate:
    return rate(round(sum(each.part for each in rates) / len(rates)), rates[0].whole)
