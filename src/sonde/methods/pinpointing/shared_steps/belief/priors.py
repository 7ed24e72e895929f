"""How likely terms are before anything is measured."""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, TermKey
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings

IDLE = 1e-9  # the weight of a literal that tells no configurations apart


class Priors:
    """The fewer literals, the likelier; terms of as many literals share what is left for them."""

    def __init__(self, alphabet: Alphabet, settings: SearchSettings, always: Flags | None = None) -> None:
        """What holds `always`, in every valid configuration, says no more than the core."""
        self._settings = settings
        self._core = log(settings.core)
        weight = np.where(alphabet.is_off, settings.off, 1.0)
        if always is not None and not always.all():
            weight = np.where(always, IDLE, weight)
        self.literal: Array = np.log(weight / weight.sum())

    def of_length(self, length: int) -> float:
        """What all terms of that length have in common."""
        if length == 0:
            return self._core
        settings = self._settings
        if length == 1:
            return log(settings.single)
        rest = 1.0 - settings.core - settings.single
        share = rest * (1.0 - settings.deeper) * settings.deeper ** (length - 2)
        return log(share) + lgamma(length + 1)

    @property
    def rarest(self) -> float:
        """The log probability of a term that is as long as any that is looked for."""
        longest = min(self._settings.longest_term, len(self.literal))
        if longest == 0:
            return self._core
        return self.of_length(longest) + longest * float(np.median(self.literal))

    def of(self, term: TermKey) -> float:
        """The log probability that a change is one of this term."""
        return self.of_length(len(term)) + float(self.literal[list(term)].sum())
