"""Why a verdict is what it is, in words."""

from __future__ import annotations

from math import expm1, isfinite, log1p

from sonde.core.findings.comparisons import Modes, Ratio, Verdict
from sonde.methods.comparison.looks import looks
from sonde.methods.comparison.rules import ComparisonRules

UNUSABLE = "a run returned zero, a negative number or no number, so there is no ratio"


def reason_of(
    verdict: Verdict, ratio: Ratio | None, threshold: float, pairs: int, rules: ComparisonRules
) -> str:
    """One clause for a report that shows the ratio and its interval beside it."""
    if ratio is None:
        return f"{_counted(pairs)} measured, but a verdict needs {looks(rules)[0].pairs}"
    size = f"{threshold * 100:g} %"
    if verdict is Verdict.EQUAL:
        return f"a change of {size} or more is ruled out"
    if verdict in (Verdict.SLOWER, Verdict.FASTER):
        if ratio.probability == 0.0:
            return "the runs of each side are equal"
        if abs(ratio.log) >= log1p(threshold):
            return "the change is significant"
        return f"the change is significant, and may be {size} or more"
    if ratio.low > 0 or ratio.high < 0:
        return "it may be chance: with this number of tests, some cases differ as much without a change"
    if not isfinite(ratio.high - ratio.low):
        return f"{_counted(ratio.pairs)} cannot decide, whatever their values"
    span = f"after {_counted(ratio.pairs)}, {_share(ratio.low)} to {_share(ratio.high)} is possible"
    return f"{span}; {_advice(ratio, threshold)}"


def depends_reason(modes: Modes) -> str:
    """Which part of the set-ups shows the change: `+17.0 % in 4 of 10 set-ups, +0.1 % in 6`."""
    pairs = modes.changed_pairs + modes.other_pairs
    return (
        f"{_share(modes.change)} in {modes.changed_pairs} of {pairs} set-ups, {_share(modes.rest)} in "
        f"{modes.other_pairs}: the layout of memory can do that"
    )


def _advice(ratio: Ratio, threshold: float) -> str:
    needed = ratio.pairs_to_decide(threshold)
    if needed is None:
        return "the machine is too noisy for this benchmark"
    return f"about {needed} pairs should decide it"


def _counted(pairs: int) -> str:
    return "1 pair" if pairs == 1 else f"{pairs or 'no'} pairs"


def _share(log: float) -> str:
    return f"{expm1(min(log, 30.0)) * 100:+.1f} %"
