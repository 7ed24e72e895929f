"""Makes the comparisons of the study: as `sonde check` would, and ten runs after ten runs."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log1p
from pathlib import Path

from sonde.core.results import Metric
from sonde.effects.executors.holding import held_on
from sonde.methods.comparison.comparing import Comparing
from sonde.methods.comparison.intervals import HIDDEN_SIDE_BY_SIDE
from sonde.methods.comparison.rules import ComparisonRules
from studies.check.recording import (
    CALM,
    IN_A_ROW,
    LOADED,
    PLANTED,
    SAME,
    SAME_IN_A_ROW,
    Comparison,
    PairOfRuns,
    Recording,
)
from studies.check.workloads import HARD, NAMES, Load, Workload, run_both, run_once, sized

Progress = Callable[[str], None]
PLANTED_SHARE = 0.05
MOST_PAIRS = {CALM: 40, LOADED: 100}
RUNS_IN_A_ROW = 10


@dataclass(frozen=True)
class Plan:
    """How many comparisons of each kind, over all workloads, in each state of the machine."""

    states: tuple[str, ...] = (CALM, LOADED)
    same: int = 200
    planted: int = 45
    in_a_row: int = 45
    hard: int = 24  # of equal programs and again of planted work, over the hard workloads
    seed: int = 1
    is_whole: bool = (
        False  # pairs up to the cap, whatever the answer, so that other rules can be tried on them
    )

    @property
    def kinds(self) -> Sequence[tuple[str, int]]:
        """Each with its number."""
        return (
            (SAME, self.same),
            (SAME_IN_A_ROW, self.same),
            (PLANTED, self.planted),
            (IN_A_ROW, self.in_a_row),
        )

    @property
    def hard_kinds(self) -> Sequence[tuple[str, int]]:
        """Those of the hard workloads."""
        return ((SAME, self.hard), (PLANTED, self.hard))


def rules_of(state: str) -> ComparisonRules:
    """Those of `sonde check`, with the cap of this study."""
    return ComparisonRules(most_pairs=MOST_PAIRS[state])


def measure_all(plan: Plan, scratch: Path, recording: Recording, progress: Progress) -> None:
    """Make every comparison that is not recorded yet."""
    for state in plan.states:
        missing = [key for key in _keys(plan, state) if key not in recording]
        if not missing:
            continue
        with Load(scratch, state == LOADED):
            workloads = {name: sized(name, scratch) for name in (*NAMES, *HARD)}
            progress(
                f"{state}: " + ", ".join(f"{each.name} {each.steps} steps" for each in workloads.values())
            )
            for at, key in enumerate(missing):
                _, kind, name, number = key
                rng = random.Random(f"{plan.seed} {key}")
                least = MOST_PAIRS[state] if plan.is_whole else RUNS_IN_A_ROW
                comparison = _compare(state, kind, workloads[name], number, least, rng)
                recording.append(comparison)
                progress(f"{state} {at + 1}/{len(missing)}: {kind} {name} {len(comparison.pairs)} pairs")


def _keys(plan: Plan, state: str) -> list[tuple[str, str, str, int]]:
    """All comparisons, mixed, so that a less calm hour does not hit one kind alone; hard ones last."""
    keys = []
    for names, kinds in ((list(NAMES), plan.kinds), (list(HARD), plan.hard_kinds)):
        mixed = [
            (state, kind, names[number % len(names)], number)
            for kind, count in kinds
            for number in range(count)
        ]
        random.Random(plan.seed).shuffle(mixed)
        keys += mixed
    return keys


def _compare(
    state: str, kind: str, workload: Workload, number: int, least: int, rng: random.Random
) -> Comparison:
    more = 0.0 if kind in (SAME, SAME_IN_A_ROW) else PLANTED_SHARE
    steps = workload.steps, workload.steps_with(more)
    pairs = (
        _in_a_row(workload.program, steps)
        if kind in (SAME_IN_A_ROW, IN_A_ROW)
        else _side_by_side(workload.program, steps, state, least, rng)
    )
    return Comparison(state, kind, workload.name, number, log1p(more), pairs)


def _side_by_side(
    program: Path, steps: tuple[int, int], state: str, least: int, rng: random.Random
) -> tuple[PairOfRuns, ...]:
    """Pairs until there is an answer, and at least so many.

    As `sonde check` does it, both runs of a pair share one processor, which is drawn for each pair. (It takes
    one more pair before, in turn, to see whether they can; that one does not count.)
    """
    processors = sorted(os.sched_getaffinity(0))

    def pair() -> PairOfRuns:
        with held_on(rng.choice(processors)):
            return _pair(program, steps, is_head_first=rng.random() < 0.5)

    comparing = Comparing({state: Metric.CPU}, rules_of(state))
    pairs: list[PairOfRuns] = []
    while asked := comparing.ask():
        while len(pairs) < asked[state]:
            pairs.append(pair())
        comparing.tell(state, [pair.cpu for pair in pairs], HIDDEN_SIDE_BY_SIDE)
    while len(pairs) < least:
        pairs.append(pair())
    return tuple(pairs)


def _pair(program: Path, steps: tuple[int, int], *, is_head_first: bool) -> PairOfRuns:
    first, second = run_both(program, (steps[1], steps[0]) if is_head_first else steps)
    return PairOfRuns(second, first, True) if is_head_first else PairOfRuns(first, second, False)


def _in_a_row(program: Path, steps: tuple[int, int]) -> tuple[PairOfRuns, ...]:
    base, head = ([run_once(program, each) for _ in range(RUNS_IN_A_ROW)] for each in steps)
    return tuple(PairOfRuns(*pair, False) for pair in zip(base, head, strict=True))
