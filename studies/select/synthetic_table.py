"""Table V: learning from pairs of revisions that are not adjacent; question (f)."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.selection.evaluation import cross_validated_pairs, validated_apart
from studies.history.markdown import table
from studies.select.rules import GREEDY, PAPER, SHARE, Averaged, Contender, both, percent
from studies.select.tuple_sets import TupleSet

THRESHOLD = 0.001
CONTENDERS = (PAPER, GREEDY, SHARE)
SPANS = (1, 2, 5, 10, 15)
NOTHING = "No set of tuples has pairs of revisions that are more than one hop apart."
# Table V as printed.
PRINTED = (("Git", "1.00 / 0.08"), ("HotSpot", "0.99 / 0.03"), ("glibc", "1.00 / 0.29"))
HEAD = ("hops up to", "rule", "tuples", "hits", "K-fold", "apart", "apart, tried on neighbours")


def section(sets: Sequence[TupleSet], folds: int, seeds: Sequence[int]) -> str:
    """A table for each set that has such pairs, and the paper's."""
    parts = []
    for one in (each for each in sets if each.most_hops > 1):
        spans = sorted({min(span, one.most_hops) for span in SPANS})
        rows = [_row(one, contender, span, folds, seeds) for span in spans for contender in CONTENDERS]
        parts += [f"`{one.name}`, threshold {percent(THRESHOLD)}:", table(HEAD, rows, texts=2)]
    parts += ["The paper's own, over all pairs:", table(["project", "K-fold"], PRINTED)]
    return "\n\n".join(parts if len(parts) > 2 else [NOTHING, *parts])


def _row(one: TupleSet, contender: Contender, span: int, folds: int, seeds: Sequence[int]) -> list[str]:
    pairs = contender.seen(one.pairs(THRESHOLD, span))
    way = contender.way()
    return [
        str(span),
        contender.name,
        str(len(pairs)),
        str(sum(each.is_hit for each in pairs)),
        str(Averaged.of([cross_validated_pairs(way, pairs, folds, seed) for seed in seeds])),
        both(validated_apart(way, pairs, one.order, folds, span)),
        both(validated_apart(way, pairs, one.order, folds, 1)),
    ]
