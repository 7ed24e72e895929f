"""Pairs of runs of a search: two revisions or three in turn, until something is clear."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import median

from sonde.core.findings.comparisons import Pair
from sonde.core.records import BuildKey, Built
from sonde.core.results import FREE, Cost, Failed, Stage
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import PairOrder, Unpaired, known_pairs
from sonde.effects.executors.pairing import run_pairs
from sonde.methods.comparison.bisecting import is_step, log_ratios, side_of
from sonde.methods.comparison.disturbances import disturbed, due
from sonde.workflows.evidence import build_all
from sonde.workflows.project_tools import ProjectTools

Sides = tuple[Blueprint, Blueprint]  # what is compared: logarithms are those of second / first
Logs = Mapping[Sides, tuple[float, ...]]


@dataclass
class PairedRuns:
    """Runs revisions in turn, builds them before, and keeps everything."""

    tools: ProjectTools
    executor: LocalExecutor
    most_pairs: int  # of two revisions
    cost: Cost = FREE
    _built: dict[BuildKey, Built] = field(default_factory=dict)

    def compare_ends(self, ends: Sides, error: float) -> float | Failed:
        """The change from the first to the second one, as a logarithm, if both can be told apart."""
        with closing(self.take([ends])) as taking:
            for logs in taking:
                if isinstance(logs, Failed):
                    return logs
                if side_of(logs[ends], error) is not None and (change := median(logs[ends])):
                    return change
        return Failed(
            Stage.RUN, f"They do not differ clearly after {self.most_pairs} pairs.", is_lasting=False
        )

    def step_between(self, sides: Sides, error: float, whole: float) -> float | None:
        """The change from the first to the second one; None if it is not a clear part of the whole one."""
        with closing(self.take([sides])) as taking:
            for logs in taking:
                if isinstance(logs, Failed):
                    return None
                answer = is_step(logs[sides], error, whole)
                if answer is not None:
                    return median(logs[sides]) if answer else None
        return None

    def known_change(self, sides: Sides) -> float:
        """The change from the first to the second one by their stored pairs; 0 if there are none."""
        with closing(self.take([sides])) as taking:
            logs = next(taking)
        return median(logs[sides]) if not isinstance(logs, Failed) and logs[sides] else 0.0

    def take(self, wanted: Sequence[Sides]) -> Generator[Logs | Failed, None, None]:
        """The logarithms of all pairs, first those that are stored, then whenever there is a new one."""
        for blueprint in {each for sides in wanted for each in sides}:
            failed = self._build(blueprint)
            if failed is not None:
                yield failed
                return
        orders = {PairOrder(*sides, self.most_pairs): sides for sides in wanted}
        sides_of = {order.points: sides for order, sides in orders.items()}
        found: dict[Sides, tuple[float, ...]] = {}
        known = known_pairs(self.tools.store, orders, self._built)
        for points, outcome in known.items():
            if isinstance(outcome, Unpaired):
                yield _failure(outcome)
                return
            found[sides_of[points]] = self._logs(sides_of[points], outcome)
        yield found
        with closing(run_pairs(self.executor, list(orders), self._built, due)) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                self.cost += observation.cost
                if observation.result is None:
                    continue
                sides, result = sides_of[observation.result.points], observation.result.outcome
                if isinstance(result, Unpaired):
                    yield _failure(result)
                    return
                found[sides] = self._logs(sides, result)
                yield found

    def _build(self, blueprint: Blueprint) -> Failed | None:
        key = blueprint.build.key
        if key not in self._built:
            built = build_all(self.tools, self.executor, [blueprint])[key]
            if isinstance(built, Failed):
                return built
            self._built[key] = built
        return None

    def _logs(self, sides: Sides, pairs: Sequence[Pair]) -> tuple[float, ...]:
        metric = sides[0].run.metric
        left_out = disturbed(metric, pairs)
        return log_ratios([pair.values(metric) for pair in pairs if pair.number not in left_out])


def _failure(unpaired: Unpaired) -> Failed:
    failed = unpaired.head or unpaired.base
    assert failed is not None  # else they were paired
    return failed
