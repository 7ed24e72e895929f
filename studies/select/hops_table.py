"""Figure 4: hit and dismiss rates by the hops to the last known ancestor; question (e)."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.selection.evaluation import by_hops
from studies.history.markdown import bars, table
from studies.select.rules import ALL, GREEDY, SHARE, both, percent
from studies.select.tuple_sets import TupleSet

OLDEST = 0.25
THRESHOLDS = (0.001, 0.01)
NOTHING = "No set of tuples has pairs of revisions that are more than one hop apart."


def section(sets: Sequence[TupleSet]) -> str:
    """A table for each set that has pairs of revisions that are not adjacent."""
    parts = []
    for one in (each for each in sets if each.most_hops > 1):
        for threshold in THRESHOLDS:
            parts += _parts(one, threshold)
    return "\n\n".join(parts) or NOTHING


def _parts(one: TupleSet, threshold: float) -> list[str]:
    examples, order = one.pairs(threshold, one.most_hops), one.order
    found = {each.name: by_hops(each.way(), each.seen(examples), order, OLDEST) for each in ALL}
    rows = []
    for hops, rates in found[GREEDY.name].items():
        row = [str(hops), str(rates.tuples), str(rates.hit.whole)]
        rows.append(row + [both(of[hops]) for of in found.values()])
    heights = {
        f"{hops} hops": rates.dismiss.value
        for hops, rates in found[SHARE.name].items()
        if rates.dismiss.value is not None
    }
    oldest = set(order[: round(OLDEST * len(order))])
    taught = sum(each.is_hit for each in examples if each.hops == 1 and each.revision in oldest)
    about = (
        f"`{one.name}`, threshold {percent(threshold)}; the oldest {len(oldest)} of {len(order)} revisions "
        f"have {taught} hits to learn from:"
    )
    return [
        about,
        table(["hops", "tuples", "hits", *found], rows),
        f"Dismiss rate of {SHARE.name}:",
        bars(heights),
    ]
