"""Orders of pairs, without anything behind them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sonde.core.records import BuildKey, Built, ContextKey, Fingerprint
from sonde.core.results import Metric
from sonde.effects.builds.orders import BuildOrder
from sonde.effects.executors.blueprints import Blueprint, Equipment, Workplace
from sonde.effects.executors.pair_orders import PairOrder
from sonde.effects.runs import Meter, RunOrder, StagedInputs
from tests.values import point, revision_id

WORKPLACE = Workplace("machine", "toolchain", "surroundings", True, "a machine")
EQUIPMENT = Equipment(Meter.PLAIN, "tools", "programs", StagedInputs(Path("inputs"), "inputs"), frozenset())


def blueprint(
    position: int, words: str = "", timeout_seconds: float = 300.0, metric: Metric = Metric.CPU
) -> Blueprint:
    """What a revision is made of; each has a build of its own."""
    build = BuildOrder(revision_id(position), BuildKey(f"build {position}"), "make", (), 60.0)
    run = RunOrder(("work", words), metric, timeout_seconds=timeout_seconds)
    return Blueprint(point(position, words=words), ContextKey("context"), build, run, EQUIPMENT, WORKPLACE)


def order(base: int = 1, head: int = 2, pairs: int = 6, words: str = "", timeout: float = 300.0) -> PairOrder:
    """Two revisions to be compared."""
    return PairOrder(blueprint(base, words, timeout), blueprint(head, words, timeout), pairs)


def built(*positions: int) -> Mapping[BuildKey, Built]:
    """That these revisions were built, each with outputs of its own."""
    return {BuildKey(f"build {each}"): Built(Fingerprint(f"outputs {each}"), 1) for each in positions}
