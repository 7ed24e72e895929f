"""What learners learn from: a benchmark at two revisions, what changed for it, and whether it was a hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sonde.methods.selection.indicators import INDICATORS, Values

# Where all that a tuple has of these is zero, nothing changed that the benchmark reaches.
REACHED = tuple(name for name, indicator in INDICATORS.items() if indicator.is_dynamic and name != "newref")


@dataclass(frozen=True)
class Example:
    """One tuple of the paper: a revision, an ancestor with a profile, and a benchmark."""

    revision: str
    base: str
    benchmark: str
    values: Values
    effect: float  # relative change of the metric: 0.01 is 1 % more
    is_hit: bool  # whether that is a change of performance
    is_proven: bool  # whether stage 0 says that nothing changed
    is_refused: bool = False  # whether the profile says too little, so that the benchmark runs in any case
    seconds: float = 1.0  # that a run of the benchmark takes
    hops: int = 1  # revisions from the ancestor to the revision


def nothing_reached(values: Values) -> bool:
    """Whether the values say that nothing changed that the benchmark reaches."""
    return not any(values.get(name, 0.0) > 0 for name in REACHED)


def completed(values: Mapping[str, float]) -> dict[str, float]:
    """The values of a tuple with a `weight`, where whoever wrote it did not know that indicator.

    It is taken as if all changed functions had changed as much as the one that changed most.
    """
    if "weight" in values or not {"share", "rdel", "rlen"} <= values.keys():
        return dict(values)
    change = 100.0 if values["rdel"] > 0 else values["rlen"]
    return {**values, "weight": values["share"] * change / 100}
