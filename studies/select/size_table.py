"""Figure 3: hit and dismiss rates by the size of the training set; question (c)."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.selection.evaluation import Repeated, by_training_size
from studies.history.markdown import bars, table
from studies.select.rules import GREEDY, PAPER, SHARE, percent
from studies.select.tuple_sets import TupleSet

FOLDS = tuple(range(2, 11))
THRESHOLD = 0.001
CONTENDERS = (PAPER, GREEDY, SHARE)


def section(sets: Sequence[TupleSet], seeds: Sequence[int]) -> str:
    """The curve of each set as a table, and the hit rate of our rule as bars."""
    parts = []
    for one in sets:
        examples = one.pairs(THRESHOLD, 1)
        points = {
            each.name: by_training_size(each.way(), each.seen(examples), FOLDS, seeds) for each in CONTENDERS
        }
        head = ["k", "revisions in training"]
        for name in points:
            head += [f"{name}: hit", "dismiss"]
        rows = []
        for at, folds in enumerate(FOLDS):
            row = [str(folds), f"{points[GREEDY.name][at].revisions:.0f}"]
            for curve in points.values():
                row += [_shown(curve[at].hit), _shown(curve[at].dismiss)]
            rows.append(row)
        heights = {
            f"k = {point.folds}": point.hit.mean for point in points[GREEDY.name] if point.hit is not None
        }
        parts += [
            f"`{one.name}`, threshold {percent(THRESHOLD)}, {len(seeds)} partitions each; mean ± standard "
            "deviation over partitions:",
            table(head, rows),
            f"Hit rate of {GREEDY.name}:",
            bars(heights),
        ]
    return "\n\n".join(parts)


def _shown(rate: Repeated | None) -> str:
    return "n/a" if rate is None else f"{rate.mean:.2f} ± {rate.deviation:.2f}"
