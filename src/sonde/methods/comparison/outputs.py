"""Whether both sides still print the same: what is faster and prints something else does other work."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.comparisons import Pair

LEAST = 2  # runs of each side, or one cannot know whether it prints the same each time


def is_output_same(pairs: Sequence[Pair]) -> bool | None:
    """Whether base and head print the same; None if nobody looked, or if it differs from run to run."""
    seen = [pair for pair in pairs if pair.base.output and pair.head.output]
    base, head = {pair.base.output for pair in seen}, {pair.head.output for pair in seen}
    return base == head if len(seen) >= LEAST and len(base) == len(head) == 1 else None
