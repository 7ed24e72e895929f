"""Whether what takes longer does more work: a time beyond the threshold, beside counted instructions.

Where a linker puts functions and where a heap ends move times by more than most regressions, and move nothing
else. So a head that executes as many instructions as the base is not called slower for its time alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import expm1, log, log1p
from statistics import median

from sonde.core.findings.comparisons import Compared, CountedWork, Pair, Verdict
from sonde.core.results import Metric

_ALONE = {Verdict.SLOWER: Verdict.NO_MORE_WORK, Verdict.FASTER: Verdict.NO_LESS_WORK}  # by its time
WAITS = 0.5  # of a change of wall time that CPU time does not show: then it waits, and counts tell nothing


def may_be_the_same_work(compared: Compared, pairs: Sequence[Pair]) -> bool:
    """Whether counting could tell: what differs is the time that it computes, not that it waits."""
    if compared.verdict not in (*_ALONE, Verdict.DEPENDS) or compared.ratio is None:
        return False
    if compared.metric is Metric.CPU:
        return True
    known = [pair for pair in pairs if {Metric.CPU} <= pair.base.values.keys() & pair.head.values.keys()]
    if compared.metric is not Metric.WALL or not known:
        return False
    computing = median(log(head / base) for base, head in map(_cpu, known) if base > 0 and head > 0)
    return computing / compared.ratio.log >= 1 - WAITS if compared.ratio.log else False


def with_work(compared: Compared, work: CountedWork, threshold: float, pairs: Sequence[Pair]) -> Compared:
    """The case with what was counted; within the threshold, a share, only its time has changed."""
    change = log(work.head / work.base)
    if compared.verdict is Verdict.DEPENDS:
        reason = f"{compared.reason}; instructions change by {expm1(change) * 100:+.2f} %"
        return replace(compared, work=work, reason=reason)
    if abs(change) >= log1p(threshold):
        return replace(compared, work=work)
    showing = sum(_shows(compared, pair) for pair in pairs)
    reason = (
        f"it executes the same number of instructions ({expm1(change) * 100:+.2f} %), and "
        f"{showing} of {len(pairs)} pairs, each with its own set-up, show a change of "
        f"{compared.threshold * 100:g} % or more"
    )
    return replace(compared, work=work, verdict=_ALONE[compared.verdict], reason=reason)


def _shows(compared: Compared, pair: Pair) -> bool:
    base, head = pair.values(compared.metric)
    size = log(head / base) if base > 0 and head > 0 else 0.0
    return (
        size >= log1p(compared.threshold)
        if compared.verdict is Verdict.SLOWER
        else size <= -log1p(compared.threshold)
    )


def _cpu(pair: Pair) -> tuple[float, float]:
    return pair.values(Metric.CPU)
