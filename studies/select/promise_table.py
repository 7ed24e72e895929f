"""Is the hit rate that the share learner promises reached out of sample?"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from sonde.methods.selection.evaluation import Way, cross_validated
from sonde.methods.selection.examples import Example
from sonde.methods.selection.share import ShareLearner, least_hits
from studies.history.markdown import table
from studies.select.rules import THRESHOLDS, percent, shown
from studies.select.tuple_sets import TupleSet

CATCHES = (0.8, 0.9, 0.95, 0.99)
FOLDS = (10, 2)


def section(sets: Sequence[TupleSet], seeds: Sequence[int]) -> str:
    """The table, and how often the promise is kept."""
    rows, kept, promised = [], 0, 0
    for one in sets:
        for threshold in THRESHOLDS:
            examples = one.pairs(threshold, 1)
            hits = sum(each.is_hit for each in examples)
            revisions = len({each.revision for each in examples if each.is_hit})
            for catch in CATCHES:
                cells = []
                for folds in FOLDS:
                    rates, is_kept = _tried(examples, catch, folds, seeds)
                    # A cold start keeps any promise, and says nothing of this learner.
                    can_promise = hits * (1 - 1 / folds) >= least_hits(catch)
                    promised += can_promise
                    kept += can_promise and is_kept
                    cells += rates if can_promise else [f"({cell})" for cell in rates]
                rows.append([one.name, percent(threshold), str(hits), str(revisions), f"{catch:.0%}", *cells])
    head = ["tuples", "threshold", "hits", "of revisions", "promised"]
    for folds in FOLDS:
        head += [f"hit, {folds} parts", "lowest", "dismiss"]
    return (
        f"{table(head, rows, texts=2)}\n\nOf {promised} cells with enough hits for a promise, "
        f"the mean hit rate is at least what is promised in {kept}."
    )


def _tried(
    examples: Sequence[Example], catch: float, folds: int, seeds: Sequence[int]
) -> tuple[list[str], bool]:
    way = Way(ShareLearner(catch))
    every = [cross_validated(way, examples, folds, seed) for seed in seeds]
    hits = [each.hit.value for each in every if each.hit.value is not None]
    dismisses = [each.dismiss.value for each in every if each.dismiss.value is not None]
    if not hits:
        return ["n/a", "n/a", "n/a"], False
    dismissed = shown(mean(dismisses)) if dismisses else "n/a"
    return [shown(mean(hits)), shown(min(hits)), dismissed], mean(hits) >= catch
