"""Where in the history changes happen: series of one subject change at the same revisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sonde.methods.history_sampling.facts import Array, Integers

ROUNDS = 10  # of expectation and maximisation; more make next to no difference
LEAST = 1e-300  # of all changes: less cannot be divided among revisions


@dataclass(frozen=True, eq=False)
class Intensity:
    """The share of all changes that happens up to each revision; `until[p]` counts positions before p."""

    until: Array

    @classmethod
    def even(cls, revisions: int) -> Intensity:
        """Changes are as likely at one revision as at any other."""
        return cls(np.linspace(0.0, 1.0, revisions + 1))

    def between(self, first: Integers, last: Integers) -> Array:
        """The share of the changes that happen after position `first`, and up to `last`."""
        return self.until[last + 1] - self.until[first + 1]


def learn_intensity(
    first: Integers, last: Integers, changes: Array, revisions: int, unshared: float
) -> Intensity:
    """The intensity that explains best that `changes` happen after each `first` and up to its `last`.

    By expectation and maximisation: each change is spread over its gap as the intensity says, and the
    intensity is what all changes together make of it. The share `unshared` is spread evenly.
    """
    density = np.full(revisions, 1 / revisions)
    if changes.sum() < LEAST:
        return Intensity.even(revisions)
    for _ in range(ROUNDS):
        until = np.concatenate([[0.0], np.cumsum(density)])
        each = changes / np.maximum(until[last + 1] - until[first + 1], 1e-300)
        edges = np.bincount(first + 1, each, revisions + 1) - np.bincount(last + 1, each, revisions + 1)
        shared = density * np.maximum(np.cumsum(edges)[:-1], 0.0)
        density = (1 - unshared) * shared / shared.sum() + unshared / revisions
    return Intensity(np.concatenate([[0.0], np.cumsum(density)]))
