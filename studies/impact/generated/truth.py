"""What is true of a change: instructions of every configuration, before and after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log, log1p

from sonde.core.results import Metric
from sonde.methods.comparison.rules import THRESHOLDS

THRESHOLD = THRESHOLDS[Metric.INSTRUCTIONS]  # of `sonde check`
PAPER = 0.1  # Definition 6

ConfigurationName = str  # as configurations are written on the command line


@dataclass(frozen=True)
class Effect:
    """The instructions of one configuration at the base and at the head."""

    base: int
    head: int

    @property
    def log_ratio(self) -> float:
        """Of head and base; above 0 it got slower."""
        return log(self.head / self.base)

    def is_slower(self, threshold: float = THRESHOLD) -> bool:
        """Whether it got slower by more than the threshold."""
        return self.log_ratio > log1p(threshold)

    def is_changed(self, threshold: float = THRESHOLD) -> bool:
        """Whether it got slower or faster by more than the threshold."""
        return abs(self.log_ratio) > log1p(threshold)


@dataclass(frozen=True)
class Truth:
    """Counts by level of optimisation and configuration; what users run is `level`."""

    effects: Mapping[str, Mapping[ConfigurationName, Effect]]
    level: str
    hot: tuple[str, ...] = ()  # functions of the base with a twentieth of some configuration, unoptimised
    noise: float = 0.0  # a log ratio up to this one says nothing: counts of the language are not exact

    @property
    def asked(self) -> Mapping[ConfigurationName, Effect]:
        """The effects in the builds that Sonde is asked about."""
        return self.effects[self.level]

    @property
    def slower(self) -> frozenset[ConfigurationName]:
        """The configurations that got slower."""
        return frozenset(name for name, effect in self.asked.items() if effect.is_slower())

    @property
    def is_clearly_slower(self) -> bool:
        """Whether some configuration got slower by twice the threshold."""
        return any(effect.is_slower(2 * THRESHOLD) for effect in self.asked.values())

    @property
    def changed(self) -> frozenset[ConfigurationName]:
        """The configurations that got slower or faster."""
        return frozenset(name for name, effect in self.asked.items() if effect.is_changed())

    @property
    def is_relevant(self) -> bool:
        """Whether any configuration changed."""
        return bool(self.changed)

    @property
    def is_harmless(self) -> bool:
        """Whether no configuration executes one instruction more or less, beyond what is noise."""
        return all(abs(effect.log_ratio) <= self.noise for effect in self.asked.values())
