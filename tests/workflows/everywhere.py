"""A search that measures every point: slow, and easy to trust."""

from __future__ import annotations

from math import log

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration
from sonde.methods.pinpointing.search import Program, SampleDemand, SearchProblem


class Everywhere:
    """Asks for every configuration at every step; a term is what all configurations that change share."""

    def __init__(self) -> None:
        self._findings: list[TermChange] = []

    def run(self, world: SearchProblem) -> Program:
        configurations = list(world.space.configurations())
        requests = [
            SampleDemand(step, each, world.runs) for each in configurations for step in range(world.steps)
        ]
        heard = yield requests
        values = {(one.step, one.configuration): one.values[0] for one in heard if one.values}
        for step in range(1, world.steps):
            steps = {
                each: log(values[step, each] / values[step - 1, each])
                for each in configurations
                if (step, each) in values and (step - 1, each) in values
            }
            self._judge(step, steps, world.threshold)
        return "every point is measured"

    def findings(self) -> tuple[TermChange, ...]:
        return tuple(self._findings)

    def noise(self) -> float | None:
        return None

    def _judge(self, step: int, steps: dict[Configuration, float], threshold: float) -> None:
        changed = [each for each, height in steps.items() if abs(height) > log(1 + threshold)]
        if not changed:
            return
        common = frozenset.intersection(*(frozenset(each) for each in changed))
        term = common - frozenset.intersection(*(frozenset(each) for each in steps))
        effect = steps[changed[0]]
        self._findings.append(
            TermChange(
                step,
                step,
                step,
                term,
                effect,
                effect - 0.01,
                effect + 0.01,
                0.97,
                changed[0],
                len(changed),
                step - 1,
                step,
            )
        )
