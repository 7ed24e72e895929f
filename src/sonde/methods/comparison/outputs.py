"""Whether both sides still print the same: what is faster and prints something else does other work."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.comparisons import Pair

LEAST = 2  # runs of each side, or one cannot know whether it prints the same each time


def is_output_same(pairs: Sequence[Pair]) -> bool | None:
    """Whether base and head print the same; None if nobody looked, or if it differs from run to run.

    The runs of a pair share their set-up, those of two pairs do not, and may print something else for that.
    """
    seen = [(pair.base.output, pair.head.output) for pair in pairs if pair.base.output and pair.head.output]
    if len(seen) < LEAST:
        return None
    if all(base == head for base, head in seen):
        return True
    return False if len(set(seen)) == 1 else None
