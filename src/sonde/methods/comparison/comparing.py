"""Compares the head with the base in many cases at once, with as few pairs as each case needs."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, log1p
from statistics import median
from typing import Generic, TypeVar

from sonde.core.findings.comparisons import Modes, Ratio, Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.deciding import decide, is_settled
from sonde.methods.comparison.exact import EXACT_METRICS, exact_ratio
from sonde.methods.comparison.intervals import is_by_scores, ratio_of
from sonde.methods.comparison.looks import last_look, next_look
from sonde.methods.comparison.modes import modes_of
from sonde.methods.comparison.reasons import UNUSABLE, depends_reason, reason_of
from sonde.methods.comparison.rules import ComparisonRules
from sonde.numerics.dip import SURE, SUSPECTED
from sonde.numerics.false_discoveries import discovered

K = TypeVar("K", bound=Hashable)

CHANGES = (Verdict.SLOWER, Verdict.FASTER)
CONFIRMED = 2  # changes that are repeated although their benchmark counts the same each time


@dataclass(frozen=True)
class Judgement:
    """What can be said of a case."""

    verdict: Verdict
    reason: str  # in words
    threshold: float  # a share
    ratio: Ratio | None = None  # None: too few pairs, or values without a ratio
    base_value: float | None = None  # medians of all runs; None: there are no pairs
    head_value: float | None = None
    is_definition_6: bool | None = None  # None: too few runs
    modes: Modes | None = None  # None: it does not depend on the set-up


@dataclass(frozen=True)
class _Shown:
    """What the pairs of a case show, before one looks at the other cases."""

    pairs: tuple[tuple[float, float], ...] = ()
    is_usable: bool = True
    head_first: tuple[bool, ...] = ()  # of each pair; empty: not known
    is_exact: bool = False  # its runs agree, so that further ones are a waste
    ratio: Ratio | None = None


class Comparing(Generic[K]):
    """Asks for pairs of runs until every case has an answer or has had its pairs.

    ```python
    comparing = Comparing(cases, rules)
    while not comparing.finished:
        for case, pairs in comparing.ask().items():
            comparing.tell(case, pairs_of(case, pairs))
    comparing.judgements()
    ```
    Pairs are told from the first one on, in the order in which they were taken.
    """

    def __init__(
        self, cases: Mapping[K, Metric], rules: ComparisonRules | None = None, spared: Collection[K] = ()
    ) -> None:
        """Cases that are `spared` are known to count the same each time: only a few changes are repeated."""
        self._rules = rules or ComparisonRules()
        self._spared = frozenset(spared)
        self._metrics = dict(cases)
        self._shown: dict[K, _Shown] = dict.fromkeys(self._metrics, _Shown())

    @property
    def finished(self) -> bool:
        """Whether no case needs further pairs."""
        return not self.ask()

    def ask(self) -> Mapping[K, int]:
        """How many pairs each open case should have in all, by its next look."""
        verdicts = self._verdicts()
        requests = {case: self._wish(case, verdicts[case]) for case in self._shown}
        requests |= dict.fromkeys(self._to_confirm(), self._rules.exact_runs)
        return {case: pairs for case, pairs in requests.items() if pairs is not None}

    def tell(
        self,
        case: K,
        pairs: Sequence[tuple[float, float]],
        hidden: float = 0.0,
        head_first: Sequence[bool] = (),
    ) -> None:
        """All pairs of a case so far, base and head; a case that is unknown or was dropped is ignored.

        `hidden` is the share of a change that the way of measuring may hide. Which run of each pair was the
        first one is needed to say that a change depends on the set-up.
        """
        if case in self._shown and tuple(pairs) != self._shown[case].pairs:
            shown = self._look_at(case, tuple(pairs), hidden)
            self._shown[case] = replace(shown, head_first=tuple(head_first))

    def drop(self, case: K) -> None:
        """It failed: nobody waits for it any more, and it has no judgement."""
        self._shown.pop(case, None)

    def judgements(self) -> Mapping[K, Judgement]:
        """What can be said of each case that was not dropped, as of now."""
        verdicts = self._verdicts()
        return {case: self._judge(case, verdicts[case]) for case in self._shown}

    def _look_at(self, case: K, pairs: tuple[tuple[float, float], ...], hidden: float) -> _Shown:
        metric = self._metrics[case]
        if not all(_is_usable(value) for pair in pairs for value in pair):
            return _Shown(pairs, is_usable=False)
        if metric in EXACT_METRICS and pairs:
            ratio, least = exact_ratio(pairs, self._threshold(case)), self._rules.exact_runs
            if ratio is not None and (case in self._spared or len(pairs) >= least):
                return _Shown(pairs, is_exact=True, ratio=ratio)
        return _Shown(pairs, ratio=ratio_of(pairs, self._rules, hidden))

    def _to_confirm(self) -> Sequence[K]:
        """Changes that rest on one run and are repeated: a few, and all of them once a repeat differs."""
        changed = [case for case in self._spared & self._shown.keys() if self._is_changed(case)]
        single = [case for case in self._metrics if case in changed and len(self._shown[case].pairs) == 1]
        repeated = len(changed) - len(single)
        if any(case in self._spared and not shown.is_exact for case, shown in self._repeated()):
            return single
        return single[: max(0, CONFIRMED - repeated)]

    def _repeated(self) -> list[tuple[K, _Shown]]:
        return [(case, shown) for case, shown in self._shown.items() if len(shown.pairs) > 1]

    def _is_changed(self, case: K) -> bool:
        ratio = self._shown[case].ratio
        return ratio is not None and abs(ratio.log) >= log1p(self._threshold(case))

    def _verdicts(self) -> dict[K, Verdict]:
        """By the joint look at all cases: a change must stand out among those that chance can play with.

        Exact cases are none of them, and what is not going to be called slower or faster is no find: either
        would let others pass for its company.
        """
        alone = {case: self._verdict(case, is_discovery=True) for case in self._shown}
        drawn = [case for case, shown in self._shown.items() if not shown.is_exact]
        chances = [self._chance(case) if alone[case] in CHANGES else 1.0 for case in drawn]
        found = zip(drawn, discovered(chances, self._rules.false_discoveries), strict=True)
        return alone | {case: self._verdict(case, is_discovery=is_found) for case, is_found in found}

    def _verdict(self, case: K, *, is_discovery: bool) -> Verdict:
        ratio = self._shown[case].ratio
        if ratio is None:
            return Verdict.INCONCLUSIVE
        return decide(ratio, self._threshold(case), is_discovery=is_discovery)

    def _chance(self, case: K) -> float:
        ratio = self._shown[case].ratio
        return 1.0 if ratio is None else ratio.probability

    def _wish(self, case: K, verdict: Verdict) -> int | None:
        shown = self._shown[case]
        if not shown.is_usable or shown.is_exact:
            return None
        most, threshold = self._rules.most_pairs, self._threshold(case)
        look = last_look(self._rules, len(shown.pairs))
        if shown.ratio is not None and look is not None:
            by_scores = is_by_scores(look, self._rules)
            is_enough = is_settled(shown.ratio, verdict, threshold, most, is_by_scores=by_scores)
            if is_enough and not self._may_depend(case, verdict):
                return None
        if self._metrics[case] in EXACT_METRICS and len(shown.pairs) < self._rules.exact_runs:
            return 1 if case in self._spared and not shown.pairs else self._rules.exact_runs
        further = next_look(self._rules, len(shown.pairs))
        return None if further is None else further.pairs

    def _may_depend(self, case: K, verdict: Verdict) -> bool:
        """Whether more pairs may show that a change is one in some set-ups only."""
        if verdict not in CHANGES:
            return False
        return self._modes(case, SUSPECTED) is not None and self._modes(case, SURE) is None

    def _modes(self, case: K, level: float) -> Modes | None:
        """The set-ups that show a change and those that do not; counts have one set-up only."""
        shown = self._shown[case]
        if self._metrics[case] in EXACT_METRICS or len(shown.head_first) != len(shown.pairs):
            return None
        return modes_of(shown.pairs, shown.head_first, self._threshold(case), level=level)

    def _judge(self, case: K, verdict: Verdict) -> Judgement:
        shown, threshold = self._shown[case], self._threshold(case)
        if not shown.is_usable:
            return Judgement(verdict, UNUSABLE, threshold)
        base, head = [value for value, _ in shown.pairs], [value for _, value in shown.pairs]
        modes = self._modes(case, SURE) if verdict is not Verdict.EQUAL else None
        runs = 2 if shown.is_exact else 1  # a count that is known to repeat stands for its repeats
        return Judgement(
            verdict if modes is None else Verdict.DEPENDS,
            reason_of(verdict, shown.ratio, threshold, len(shown.pairs), self._rules)
            if modes is None
            else depends_reason(modes),
            threshold,
            shown.ratio,
            median(base) if base else None,
            median(head) if head else None,
            self._rules.definition_6.holds(base * runs, head * runs),
            modes,
        )

    def _threshold(self, case: K) -> float:
        return self._rules.thresholds[self._metrics[case]]


def _is_usable(value: float) -> bool:
    return isfinite(value) and value > 0
