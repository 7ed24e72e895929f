"""A rule that was learned on one project, used on another; question (d)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from sonde.methods.selection.evaluation import across_projects
from studies.history.markdown import table
from studies.select.rules import ALL, THRESHOLDS, both, percent
from studies.select.tuple_sets import TupleSet

NOTHING = "It takes two sets of tuples; one was given."
PRINTED = "In the paper: Git to HotSpot 1.0 / 0.34, HotSpot to Git 0.0 / 0.88."


def section(sets: Sequence[TupleSet]) -> str:
    """A row for each two sets and threshold."""
    if len(sets) < 2:
        return f"{NOTHING} {PRINTED}"
    rows = []
    for learned_from, used_on in permutations(sets, 2):
        for threshold in THRESHOLDS:
            known, new = learned_from.pairs(threshold, 1), used_on.pairs(threshold, 1)
            hits = [str(sum(each.is_hit for each in some)) for some in (known, new)]
            cells = [both(across_projects(one.way(), one.seen(known), one.seen(new))) for one in ALL]
            rows.append([learned_from.name, used_on.name, percent(threshold), *hits, *cells])
    head = ["learned from", "used on", "threshold", "hits", "hits", *(each.name for each in ALL)]
    return f"{table(head, rows, texts=3)}\n\n{PRINTED}"
