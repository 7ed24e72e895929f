"""Predictors: whether a benchmark whose outcome is not proven should run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from sonde.methods.selection.examples import Example, nothing_reached
from sonde.methods.selection.indicators import Values


class Predictor(Protocol):
    """A rule over the values of the indicators."""

    def runs(self, values: Values) -> bool:
        """Whether a benchmark should run."""

    def words(self) -> str:
        """The rule, in one sentence."""

    def why(self, values: Values) -> str:
        """What it says of these values, in words."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the rule cannot keep, in sentences."""


class Learner(Protocol):
    """Makes a predictor from examples."""

    def learn(self, examples: Sequence[Example]) -> Predictor:
        """The rule that these examples give. Those that are proven or refused teach nothing."""


class PredictorScope(Enum):
    """For what a predictor is learned."""

    COMMON = "common"  # one for all benchmarks
    BENCHMARK = "benchmark"  # one for each


@dataclass(frozen=True)
class ReachedAndChanged:
    """Runs whatever is not proven unchanged."""

    because: str  # why there is no better rule
    warnings: tuple[str, ...] = ()

    def runs(self, values: Values) -> bool:
        """Always: what is proven unchanged is not asked for."""
        return True

    def words(self) -> str:
        """The rule, in one sentence."""
        return f"Run every benchmark that is not proven unchanged: {self.because}."

    def why(self, values: Values) -> str:
        """Why it runs."""
        return "code that it reaches changed"


@dataclass(frozen=True)
class ReachedByIndicators:
    """Runs where indicators show that something the benchmark reaches changed: for want of a proof."""

    because: str  # why there is no better rule
    warnings: tuple[str, ...] = ()

    def runs(self, values: Values) -> bool:
        """Whether something that it reaches changed."""
        return not nothing_reached(values)

    def words(self) -> str:
        """The rule, in one sentence."""
        return f"Run a benchmark if any code that it reaches changed: {self.because}."

    def why(self, values: Values) -> str:
        """Whether something that it reaches changed, in words."""
        return f"{'no code that' if nothing_reached(values) else 'code that'} it reaches changed"


@dataclass(frozen=True)
class LearnedRules:
    """The predictors of one or several benchmarks."""

    common: Predictor
    own: Mapping[str, Predictor] = field(default_factory=dict)

    def of(self, benchmark: str) -> Predictor:
        """The predictor for a benchmark."""
        return self.own.get(benchmark, self.common)

    def runs(self, example: Example) -> bool:
        """Whether the benchmark should run: stage 0 goes first."""
        if example.is_refused:
            return True
        return not example.is_proven and self.of(example.benchmark).runs(example.values)


def learn_rules(learner: Learner, scope: PredictorScope, examples: Sequence[Example]) -> LearnedRules:
    """Predictors from what is known of some revisions."""
    telling = [example for example in examples if not example.is_proven and not example.is_refused]
    if scope is PredictorScope.COMMON:
        return LearnedRules(learner.learn(telling))
    of_benchmark: defaultdict[str, list[Example]] = defaultdict(list)
    for example in telling:
        of_benchmark[example.benchmark].append(example)
    own = {name: learner.learn(of_benchmark[name]) for name in sorted(of_benchmark)}
    return LearnedRules(ReachedAndChanged("no rule was learned for the benchmark"), own)
