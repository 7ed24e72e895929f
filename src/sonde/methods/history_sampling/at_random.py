"""The paper's baseline: revisions drawn at random, and the same bridge between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sonde.methods.history_sampling.facts import Integers, Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.policy import Inferred, nothing_open
from sonde.methods.history_sampling.widest_gap import WidestGap


@dataclass(frozen=True)
class AtRandom:
    """Open steps in an order that only the seed decides."""

    bridge: WidestGap = field(default_factory=WidestGap)

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """The next steps of each series in its random order, in turn."""
        orders = [
            (at, _open_in_order(series, facts.seed, at)[: min(series.allowance, at_most)].tolist())
            for at, series in enumerate(facts.series)
            if not nothing_open(series)
        ]
        longest = max((len(order) for _, order in orders), default=0)
        picks = [
            Pick(at, order[turn]) for turn in range(longest) for at, order in orders if turn < len(order)
        ]
        return picks[:at_most]

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """The bridge, as for the paper's policy."""
        return self.bridge.infer(facts)


def _open_in_order(series: SeriesFacts, seed: int, at: int) -> Integers:
    order = np.random.default_rng([seed, at]).permutation(series.steps)
    return order[series.is_open[order]]
