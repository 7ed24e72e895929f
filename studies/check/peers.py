"""Other ways to compare: ten runs after ten runs, as hyperfine does it, and Definition 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev

from scipy.stats import ttest_ind

from sonde.methods.comparison.definition_6 import Definition6
from studies.check.recording import Comparison
from studies.check.workloads import Run

Value = Callable[[Run], float]
Rule = Callable[[Sequence[float], Sequence[float]], bool]  # base and head: does it call them different?


def by_the_spread(base: Sequence[float], head: Sequence[float]) -> bool:
    """What hyperfine prints, "1.07 ± 0.03 times faster": whether 1 lies outside."""
    slow, fast = (base, head) if fmean(base) >= fmean(head) else (head, base)
    ratio = fmean(slow) / fmean(fast)
    spread = ratio * sqrt((stdev(slow) / fmean(slow)) ** 2 + (stdev(fast) / fmean(fast)) ** 2)
    return ratio - spread > 1


def by_welch(base: Sequence[float], head: Sequence[float]) -> bool:
    """Welch's test at 5 %, as hyperfine's own script of that name."""
    return bool(ttest_ind(base, head, equal_var=False).pvalue < 0.05)


def by_definition_6(threshold: float) -> Rule:
    """Definition 6 with its k of 3."""
    return lambda base, head: bool(Definition6(threshold).holds(base, head))


def cpu(run: Run) -> float:
    return run.cpu


def wall(run: Run) -> float:
    return run.wall


def of_runs_in_a_row(rule: Rule, value: Value) -> Callable[[Comparison], bool]:
    """What the rule says of ten runs, and the ten after them."""

    def is_different(comparison: Comparison) -> bool:
        return rule(
            [value(pair.base) for pair in comparison.pairs], [value(pair.head) for pair in comparison.pairs]
        )

    return is_different


def of_pairs(rule: Rule) -> Callable[[Comparison], bool]:
    """What the rule says of the CPU times of pairs."""

    def is_different(comparison: Comparison) -> bool:
        pairs = [pair.cpu for pair in comparison.pairs]
        return rule([base for base, _ in pairs], [head for _, head in pairs])

    return is_different
