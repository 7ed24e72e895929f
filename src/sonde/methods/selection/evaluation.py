"""How good a learner is: the questions (a) to (f) of the paper's section IV.

Tuples of one revision are never split between training and test, for they know of each other. Every tuple is
tested once, and counts are summed up over the parts before rates are taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, stdev

from sonde.core.findings.selection_rates import SelectionRates
from sonde.methods.selection.examples import Example
from sonde.methods.selection.predictors import LearnedRules, Learner, PredictorScope, learn_rules
from sonde.methods.selection.rates import Decided, rates_of

Parts = Sequence[frozenset[str]]  # of the revisions, disjoint


@dataclass(frozen=True)
class Way:
    """How predictors are made."""

    learner: Learner
    scope: PredictorScope = PredictorScope.COMMON

    def rules(self, examples: Sequence[Example]) -> LearnedRules:
        """What these examples teach."""
        return learn_rules(self.learner, self.scope, examples)


@dataclass(frozen=True)
class Repeated:
    """A rate over several partitions."""

    mean: float
    deviation: float  # standard deviation; 0 for a single partition

    @classmethod
    def of(cls, rates: Sequence[float | None]) -> Repeated | None:
        """None where no partition has a rate."""
        known = [rate for rate in rates if rate is not None]
        return cls(mean(known), stdev(known) if len(known) > 1 else 0.0) if known else None


@dataclass(frozen=True)
class SizePoint:
    """What training sets of one size give (Figure 3)."""

    folds: int
    revisions: float  # in a training set, on average
    hit: Repeated | None
    dismiss: Repeated | None


def tried_on(rules: LearnedRules, examples: Sequence[Example]) -> SelectionRates:
    """What predictors make of examples."""
    return rates_of(_decided(rules, examples))


def trained_on_all(way: Way, examples: Sequence[Example]) -> SelectionRates:
    """(a) Train and test on the same tuples."""
    return tried_on(way.rules(examples), examples)


def cross_validated(way: Way, examples: Sequence[Example], folds: int, seed: int) -> SelectionRates:
    """(b) Train on all parts but one, test on that one, by turns."""
    return _validated(way, examples, partition(examples, folds, seed), _without)


def leave_one_revision_out(way: Way, examples: Sequence[Example]) -> SelectionRates:
    """(b) As many parts as revisions."""
    return _validated(way, examples, [frozenset({each}) for each in _revisions(examples)], _without)


def by_training_size(
    way: Way, examples: Sequence[Example], folds: Sequence[int], seeds: Sequence[int]
) -> list[SizePoint]:
    """(c) Cross-validation with more and more parts, each with several partitions."""
    revisions = len(_revisions(examples))
    points = []
    for k in folds:
        every = [cross_validated(way, examples, k, seed) for seed in seeds]
        hit, dismiss = [rates.hit.value for rates in every], [rates.dismiss.value for rates in every]
        size = revisions * (1 - 1 / min(k, revisions)) if revisions else 0.0
        points.append(SizePoint(k, size, Repeated.of(hit), Repeated.of(dismiss)))
    return points


def across_projects(way: Way, learned_from: Sequence[Example], examples: Sequence[Example]) -> SelectionRates:
    """(d) Train on one project, test on another."""
    return tried_on(way.rules(learned_from), examples)


def by_hops(
    way: Way, examples: Sequence[Example], order: Sequence[str], share: float = 0.25
) -> Mapping[int, SelectionRates]:
    """(e) Train on the oldest revisions, one hop each, and test by the hops to the last known ancestor.

    `order` is of all revisions, the oldest first; `share` of them is for training, and ancestors for the test
    are not older than those. Examples of other revisions do not count.
    """
    place = {revision: at for at, revision in enumerate(order)}
    known = round(share * len(order))
    placed = [each for each in examples if each.revision in place]
    oldest = [each for each in placed if each.hops == 1 and place[each.revision] < known]
    rules = way.rules(oldest)
    tested: defaultdict[int, list[Example]] = defaultdict(list)
    for each in placed:
        if place[each.revision] >= known and place.get(each.base, -1) >= known - 1:
            tested[each.hops].append(each)
    return {hops: tried_on(rules, tested[hops]) for hops in sorted(tested)}


def cross_validated_pairs(way: Way, pairs: Sequence[Example], folds: int, seed: int) -> SelectionRates:
    """(f) Cross-validation over pairs of revisions that need not be adjacent.

    A pair that shares a revision with the test is not trained on. One that spans a pair of the test is,
    though it has met the same changes: `validated_apart` is the stricter question.
    """
    return _validated(way, pairs, partition(pairs, folds, seed), _apart)


def validated_apart(
    way: Way, pairs: Sequence[Example], order: Sequence[str], folds: int, tested_hops: int
) -> SelectionRates:
    """(f) Cross-validation in which no revision, and no change, is both trained on and tested.

    Parts are stretches of `order`, which is of all revisions, the oldest first: random ones would leave
    nothing to train on. Pairs of up to `tested_hops` are tested. A pair is trained on if all of it lies
    before, or all of it behind, the stretch from the oldest ancestor to the newest revision of the test.
    """
    place = {revision: at for at, revision in enumerate(order)}
    spans = [(place[each.base], place[each.revision], each) for each in pairs if _is_placed(each, place)]
    decided: list[Decided] = []
    for part in range(folds):
        begin, end = part * len(order) // folds, (part + 1) * len(order) // folds
        tested = [span for span in spans if begin <= span[1] < end and span[2].hops <= tested_hops]
        if not tested:
            continue
        oldest, newest = min(base for base, _, _ in tested), max(revision for _, revision, _ in tested)
        training = [each for base, revision, each in spans if revision < oldest or base > newest]
        decided.extend(_decided(way.rules(training), [each for _, _, each in tested]))
    return rates_of(decided)


def _is_placed(example: Example, place: Mapping[str, int]) -> bool:
    return example.revision in place and example.base in place


def partition(examples: Sequence[Example], folds: int, seed: int) -> Parts:
    """The revisions at random in parts that differ by one at most; no part is empty."""
    revisions = _revisions(examples)
    Random(seed).shuffle(revisions)
    return [frozenset(revisions[part::folds]) for part in range(min(folds, len(revisions)))]


def _revisions(examples: Sequence[Example]) -> list[str]:
    return sorted({example.revision for example in examples})


def _validated(
    way: Way, examples: Sequence[Example], parts: Parts, training: Callable[[Example, frozenset[str]], bool]
) -> SelectionRates:
    decided: list[Decided] = []
    for part in parts:
        rules = way.rules([example for example in examples if training(example, part)])
        decided.extend(_decided(rules, [example for example in examples if example.revision in part]))
    return rates_of(decided)


def _without(example: Example, part: frozenset[str]) -> bool:
    return example.revision not in part


def _apart(example: Example, part: frozenset[str]) -> bool:
    return example.revision not in part and example.base not in part


def _decided(rules: LearnedRules, examples: Sequence[Example]) -> Iterator[Decided]:
    for example in examples:
        is_run = rules.runs(example)
        yield Decided(example.is_hit, is_run, example.is_proven and not is_run, example.seconds)
