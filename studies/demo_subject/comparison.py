"""Steps from each revision to the one before that ran, beside what the plan says."""

import math
from collections.abc import Iterator

from sonde.effects.demo_subject.configurations import DemoConfiguration, holds, words
from sonde.effects.demo_subject.planned import PlannedRevision, Plant
from studies.demo_subject.builds import Build
from studies.demo_subject.counting import BENCHMARKS, Counts, covering_configurations, key

LEAST_EFFECT = 0.08
ELSEWHERE = 0.005
QUIET = 0.003
ROUNDING = 0.006  # of the constants in the plan

Step = tuple[int, DemoConfiguration, str, float]


def steps(builds: list[Build], counts: Counts) -> Iterator[Step]:
    """Position, configuration, benchmark and log ratio to the last revision that ran there."""
    for configuration in covering_configurations():
        for benchmark in BENCHMARKS:
            before = None
            for build in builds:
                now = counts.get(key(build.digest, configuration, benchmark))
                if now is None:
                    continue
                if before is not None:
                    yield build.position, configuration, benchmark, math.log(now / before)
                before = now


def compare_steps(builds: list[Build], planned: tuple[PlannedRevision, ...], counts: Counts) -> list[str]:
    """What differs from the plan, in words."""
    differences = []
    for position, configuration, benchmark, step in steps(builds, counts):
        where = f"{position} {' '.join(words(configuration))} {benchmark}: {step:+.4f}"
        effect = planned[position].effect
        if not isinstance(effect, Plant):
            if abs(step) > QUIET:
                differences.append(f"{where}, should be quiet")
        elif not holds(effect.term, configuration) or benchmark not in effect.steps:
            if abs(step) > ELSEWHERE:
                differences.append(f"{where}, does not belong to {effect.term} in {list(effect.steps)}")
        else:
            weakest, strongest = sorted(effect.steps[benchmark])
            if abs(step) < LEAST_EFFECT or not weakest - ROUNDING <= step <= strongest + ROUNDING:
                differences.append(f"{where}, should be {effect.steps[benchmark]}")
    return differences


def planted_table(builds: list[Build], planned: tuple[PlannedRevision, ...], counts: Counts) -> str:
    """The weakest and the strongest step of each planted change, as measured."""
    measured: dict[int, dict[str, list[float]]] = {}
    for position, configuration, benchmark, step in steps(builds, counts):
        effect = planned[position].effect
        if isinstance(effect, Plant) and holds(effect.term, configuration):
            measured.setdefault(position, {}).setdefault(benchmark, []).append(step)
    lines = []
    for position, by_benchmark in sorted(measured.items()):
        lines.append(
            f"{position} {planned[position].subject} {getattr(planned[position].effect, 'term', ())}"
        )
        for benchmark, values in by_benchmark.items():
            ordered = sorted(values, key=abs)
            lines.append(f'    "{benchmark}": ({ordered[0]:.2f}, {ordered[-1]:.2f}),')
    return "\n".join(lines)
