"""Figure 3: hit and dismiss rates by the size of the training set; question (c)."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.selection.evaluation import Repeated, by_training_size
from studies.history.markdown import table
from studies.select.rules import GREEDY, PAPER, SHARE, percent
from studies.select.tuple_sets import TupleSet

FOLDS = tuple(range(2, 11))
THRESHOLD = 0.001
CONTENDERS = (PAPER, GREEDY, SHARE)


def section(sets: Sequence[TupleSet], seeds: Sequence[int]) -> str:
    """The curve of each set as a table."""
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
        parts += [
            f"`{one.name}`, threshold {percent(THRESHOLD)}, {len(seeds)} partitions each:",
            table(head, rows),
        ]
    return "\n\n".join(parts)


def _shown(rate: Repeated | None) -> str:
    return "n/a" if rate is None else f"{rate.mean:.2f} ± {rate.deviation:.2f}"
