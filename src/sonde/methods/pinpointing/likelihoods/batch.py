"""The demands of an iteration while they are being gathered."""

from __future__ import annotations

from random import Random

import numpy as np

from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.samples import Flags, Samples
from sonde.methods.pinpointing.search import SampleDemand


class Batch:
    """At most `room` demands, none of them for a point that was tried or is among them."""

    def __init__(self, samples: Samples, room: int, runs: int) -> None:
        self._samples = samples
        self._runs = runs
        self._open: dict[Configuration, Flags] = {}
        self._taken: dict[Configuration, Flags] = {}
        self.room = room
        self.demands: list[SampleDemand] = []

    def is_open(self, configuration: Configuration) -> Flags:
        """For each step, whether it may be wished for; not to be changed."""
        if configuration not in self._open:
            self._open[configuration] = self._samples.is_open(configuration)
        return self._open[configuration]

    def taken(self, configuration: Configuration) -> Flags:
        """For each step, whether it was tried or is wished for; not to be changed."""
        if configuration not in self._taken:
            self._taken[configuration] = self._samples.tried(configuration)
        return self._taken[configuration]

    def add(self, configuration: Configuration, step: int) -> bool:
        """Wish for an open step; False if there is no room."""
        if self.room <= 0:
            return False
        self.is_open(configuration)[step] = False
        self.taken(configuration)[step] = True
        self.demands.append(SampleDemand(step, configuration, self._runs))
        self.room -= 1
        return True

    def add_at_random(self, configuration: Configuration, count: int, rng: Random) -> int:
        """Wish for up to `count` open steps of a configuration; how many it were."""
        steps = np.flatnonzero(self.is_open(configuration)).tolist()
        chosen = sorted(rng.sample(steps, min(count, len(steps))))
        return sum(self.add(configuration, step) for step in chosen)
