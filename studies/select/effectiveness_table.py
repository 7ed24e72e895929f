"""Table IV: hit and dismiss rates, trained on everything and out of sample; questions (a) and (b)."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.selection.evaluation import cross_validated, leave_one_revision_out, trained_on_all
from sonde.methods.selection.examples import Example
from sonde.methods.selection.predictors import PredictorScope
from studies.history.markdown import table
from studies.select.rules import ALL, THRESHOLDS, Averaged, Contender, both, interval, percent
from studies.select.tuple_sets import TupleSet

SAFE = 0.95  # of the hits
HEAD = (
    "threshold",
    "rule",
    "hits",
    "Full/Individual",
    "Full/All",
    "K-fold/Individual",
    "K-fold/All",
    "95 % of hit",
    "95 % of dismiss",
    "leave one out",
    "time saved",
    "at most",
)
# Table IV as printed: full, individual, all.
PRINTED = (
    ("HotSpot", "1.0 / 0.89", "0.40 / 0.88", "0.70 / 0.47"),
    ("Git", "1.0 / 0.83", "0.77 / 0.84", "0.85 / 0.83"),
    ("MongoDB", "1.0 / 0.46", "0.74 / 0.46", "1.0 / 0.46"),
    ("glibc", "n/a / 1.00", "n/a / 1.00", "n/a / 1.00"),
)


def section(sets: Sequence[TupleSet], folds: int, seeds: Sequence[int]) -> str:
    """A table a set, and the paper's."""
    parts = []
    for one in sets:
        parts += [f"`{one.name}`, {_size(one)}:", _table(one, folds, seeds)]
    parts += [
        "The paper's own, from wall times of other projects:",
        table(["project", "Full", "K-fold/Individual", "K-fold/All"], PRINTED),
    ]
    return "\n\n".join(parts)


def _size(one: TupleSet) -> str:
    tuples = one.pairs(0.0, 1)
    revisions = len({each.revision for each in tuples})
    benchmarks = len({each.benchmark for each in tuples})
    return (
        f"{len(tuples)} tuples of {revisions} revisions and {benchmarks} benchmarks; the noise of proven "
        f"tuples would make {percent(one.noise_threshold)} the threshold"
    )


def _table(one: TupleSet, folds: int, seeds: Sequence[int]) -> str:
    rows, said = [], []
    for threshold in THRESHOLDS:
        examples = one.pairs(threshold, 1)
        common = {each: _cross_validated(each, examples, PredictorScope.COMMON, folds, seeds) for each in ALL}
        for contender, rates in common.items():
            row = _row(one, contender, examples, rates, folds, seeds)
            rows.append([percent(threshold), contender.name, *row])
        safe = {each: rates for each, rates in common.items() if rates.hit is not None and rates.hit >= SAFE}
        if safe:
            best = max(safe, key=lambda each: safe[each].dismiss or 0.0)
            said.append(f"{best.name} at {percent(threshold)} ({safe[best]})")
    listed = "; ".join(said) or "none, for there are no hits"
    return (
        f"{table(HEAD, rows, texts=2)}\n\nOf rules that run {SAFE:.0%} or more of the hits in K-fold/All, "
        f"these dismiss most: {listed}."
    )


def _cross_validated(
    contender: Contender, examples: Sequence[Example], scope: PredictorScope, folds: int, seeds: Sequence[int]
) -> Averaged:
    way, seen = contender.way(scope), contender.seen(examples)
    return Averaged.of([cross_validated(way, seen, folds, seed) for seed in seeds])


def _row(
    one: TupleSet,
    contender: Contender,
    examples: Sequence[Example],
    common: Averaged,
    folds: int,
    seeds: Sequence[int],
) -> list[str]:
    seen = contender.seen(examples)
    saved, most = "n/a", "n/a"
    if one.seconds and common.time_saved is not None:
        total = sum(each.seconds for each in seen)
        most = f"{sum(each.seconds for each in seen if not each.is_hit) / total:.0%}"
        saved = f"{common.time_saved:.0%}"
    return [
        str(sum(each.is_hit for each in seen)),
        both(trained_on_all(contender.way(PredictorScope.BENCHMARK), seen)),
        both(trained_on_all(contender.way(), seen)),
        str(_cross_validated(contender, examples, PredictorScope.BENCHMARK, folds, seeds)),
        str(common),
        interval(common.hit_interval),
        interval(common.dismiss_interval),
        both(leave_one_revision_out(contender.way(), seen)),
        saved,
        most,
    ]
