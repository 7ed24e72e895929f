"""A search that looks at every configuration: halves its life until each change lies between two steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from math import log

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration, Term
from sonde.methods.pinpointing.search import DemandResult, Program, SampleDemand, SearchProblem

Levels = dict[int, float]


class PlainSearch:
    """Serves tests of what stands around a search; it knows no noise and finds no change that goes back."""

    def __init__(self) -> None:
        self._changes: dict[int, dict[Configuration, float]] = defaultdict(dict)
        self._before: dict[int, int] = {}
        self._steady: dict[int, list[Configuration]] = {}
        self._all: list[Configuration] = []

    def run(self, world: SearchProblem) -> Program:
        lives = {one: world.life(one) for one in world.space.configurations()}
        self._all = [one for one, (first, end) in lives.items() if end - first > 1]
        for one in self._all:
            first, end = lives[one]
            yield from self._halve(one, first, end - 1, world)
        self._steady = {
            step: [one for one in self._all if lives[one][0] < step < lives[one][1] and one not in changed]
            for step, changed in self._changes.items()
        }
        return "every configuration was looked at"

    def findings(self) -> tuple[TermChange, ...]:
        found = []
        for step, effects in sorted(self._changes.items()):
            shown_in = max(effects, key=lambda one: (abs(effects[one]), one.key))
            effect = effects[shown_in]
            term = _common(list(effects), self._steady.get(step, []))
            bounds = (effect - 0.01, effect + 0.01)
            earliest = self._before[step] + 1
            found.append(
                TermChange(
                    step,
                    earliest,
                    step,
                    term,
                    effect,
                    *bounds,
                    0.99,
                    shown_in,
                    len(effects),
                    self._before[step],
                    step,
                )
            )
        return tuple(found)

    def noise(self) -> float | None:
        return 0.0

    def _halve(
        self, one: Configuration, first: int, last: int, world: SearchProblem
    ) -> Generator[Sequence[SampleDemand], Sequence[DemandResult], None]:
        known: Levels = {}
        dead: set[int] = set()
        gaps = [(first, last)]
        while gaps:
            left, right = gaps.pop()
            for step in (left, right):
                if step not in known and step not in dead:
                    (heard,) = yield [SampleDemand(step, one, world.runs)]
                    if heard.values:
                        known[step] = sum(heard.values) / len(heard.values)
                    else:
                        dead.add(step)
            if left in dead or right in dead:
                moved = (left + (left in dead), right - (right in dead))
                if moved[0] < moved[1]:
                    gaps.append(moved)
                continue
            effect = log(known[right] / known[left])
            if abs(effect) < world.threshold:
                continue
            inner = [step for step in range(left + 1, right) if step not in dead]
            if inner:
                middle = inner[len(inner) // 2]
                (heard,) = yield [SampleDemand(middle, one, world.runs)]
                if heard.values:
                    known[middle] = sum(heard.values) / len(heard.values)
                    gaps += [(left, middle), (middle, right)]
                else:
                    dead.add(middle)
                    gaps.append((left, right))
            else:
                self._changes[right][one] = effect
                self._before[right] = left


def _common(changed: Sequence[Configuration], steady: Sequence[Configuration]) -> Term:
    """The literals that all that changed have in common, as far as one that did not change lacks them."""
    common = frozenset.intersection(*(frozenset(one) for one in changed))
    return frozenset(
        literal for literal in common if any(one[literal.option] != literal.value for one in steady)
    )
