"""The truth of the demo: what was planted in it, as `studies/demo_subject` has counted it in instructions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import expm1, inf
from typing import Any

from sonde.core.options import Configuration
from sonde.core.revisions import History, RevisionId
from sonde.space.space import Space
from studies.check.saving_truth import CaseKey


@dataclass(frozen=True)
class PlantedTruth:
    """What truth.json says, case by case."""

    history: History  # the whole first-parent history
    space: Callable[[RevisionId, RevisionId], Space]  # the configurations that a base and a head have
    benchmarks: tuple[str, ...]
    planted: Mapping[str, Any]  # truth.json

    def growths(self, base: RevisionId, head: RevisionId) -> Mapping[CaseKey, float]:
        """As shares, of the configuration that a change moves least; infinite where a case fails."""
        between = self.history.positions[base], self.history.positions[head]
        return {
            (benchmark, str(configuration)): self._growth(between, benchmark, configuration)
            for configuration in self.space(base, head).configurations()
            for benchmark in self.benchmarks
        }

    def _growth(self, between: tuple[int, int], benchmark: str, configuration: Configuration) -> float:
        literals = set(map(str, configuration))
        first, last = between
        if any(
            crash["position"] == last and literals.issuperset(crash["where"])
            for crash in self.planted["crashes"]
        ):
            return inf
        step = 0.0  # logarithm of head / base
        for point in self.planted["change_points"]:
            holds = literals.issuperset(point["options"]) and benchmark in point["steps"]
            if first < point["revision"] <= last and holds:
                step += min(point["steps"][benchmark], key=abs)
        return expm1(step)
