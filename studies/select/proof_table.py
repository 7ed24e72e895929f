"""Stage 0: how many tuples are proven unchanged, and whether any proof is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from studies.history.markdown import table
from studies.select.project_evidence import REASONS, UNPROVEN, ProjectEvidence
from studies.select.rules import percent
from studies.select.tuple_sets import TupleSet

LEAST = 0.001
NOTHING = "The store has no tuples of it. `sonde select --train` makes them."


def of_tuples(sets: Sequence[TupleSet]) -> str:
    """A row for each set: what is proven, and the largest change of it."""
    rows, wrong, all_proven = [], 0, 0
    for one in sets:
        examples = one.pairs(LEAST, one.most_hops)
        proven = [each for each in examples if each.is_proven]
        all_proven += len(proven)
        wrong += sum(each.is_hit for each in proven)
        same = [each for each in one.tuples if each.is_same]
        rest = [each for each in examples if not each.is_proven]
        still = sum(not each.is_hit for each in rest)
        rows.append(
            [
                one.name,
                str(len(examples)),
                str(len(proven)),
                _largest([each.effect for each in proven]),
                str(sum(each.is_hit for each in proven)),
                str(len(same)) if one.tells_same_builds else "n/a",
                _largest([each.change for each in same]) if one.tells_same_builds else "n/a",
                str(len(rest)),
                str(still),
            ]
        )
    head = ["tuples of", "tuples", "proven", "largest change", "wrong", "same builds", "largest change"]
    listed = table([*head, "not proven", "of them no hit"], rows)
    return f"{listed}\n\nOf {all_proven:,} proofs, {wrong} are wrong."


def of_project(evidence: ProjectEvidence) -> str:
    """A row for each kind of proof."""
    if not evidence.told:
        return NOTHING
    rows = []
    for reason in REASONS:
        for hops in sorted({min(each.hops, 2) for each in evidence.told}):
            some = [each for each in evidence.told if each.reason == reason and min(each.hops, 2) == hops]
            apart = [each for each in some if each.is_measured_apart]
            wrong = str(sum(each.is_hit for each in apart)) if reason != UNPROVEN else "n/a"
            if some:
                rows.append(
                    [
                        reason,
                        "1" if hops == 1 else "more",
                        str(len(some)),
                        str(len(apart)),
                        _largest([each.change for each in apart]),
                        str(sum(each.is_hit for each in some)),
                        wrong,
                    ]
                )
    head = ["why", "hops", "tuples", "both sides measured", "largest change", "hits", "wrong proofs"]
    return table(head, rows, texts=2)


def _largest(changes: Sequence[float]) -> str:
    return percent(max(map(abs, changes))) if changes else "n/a"
