"""Simulated subjects whose truth is known: what each term costs, and which revision changed it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from random import Random

from sonde.campaign.drawn import DrawnExecutor
from sonde.core.options import Configuration, Term
from sonde.core.points import Point, Request
from sonde.core.records import Observation
from sonde.core.results import Failed, Metric, Stage
from sonde.core.revisions import RevisionId
from sonde.space.space import Space

CORE: Term = frozenset()


@dataclass(frozen=True)
class SimulatedChange:
    """From `revision` on, the influence of `term` is multiplied by `factor`."""

    revision: int
    term: Term
    factor: float


@dataclass(frozen=True)
class SimulatedSubject:
    """A subject whose value is the sum of the influences of all terms that hold.

    The influences and factors are not negative, and the core is never 0, so that every value is positive.
    Revisions count from 0, and one is called by its number.

    subject = SimulatedSubject(
        Space((Option("checksum", (False, True), False),)),
        revisions=100,
        influences={CORE: 1.0, frozenset({Literal("checksum", True)}): 0.5},
        changes=(SimulatedChange(60, frozenset({Literal("checksum", True)}), 2.0),),
        noise=0.01,
    )
    """

    space: Space
    revisions: int
    influences: Mapping[Term, float]
    changes: tuple[SimulatedChange, ...] = ()
    failing: frozenset[int] = frozenset()  # revisions that do not build
    noise: float = 0.0  # standard deviation of the logarithm of a run

    def __post_init__(self) -> None:
        if self.revisions < 1:
            raise ValueError(f"{self.revisions} revisions are none")
        if not 0 <= self.noise < inf:
            raise ValueError(f"the noise {self.noise} is not a number from 0 on")
        for term, influence in self.influences.items():
            if not 0 <= influence < inf or (term == CORE and influence == 0):
                raise ValueError(f"the influence {influence} of {_shown(term)} leaves values without a ratio")
            for literal in term:
                option = self.space.option.get(literal.option)
                if option is None or literal.value not in option.values:
                    raise ValueError(f"{literal} is not in the space")
        if CORE not in self.influences:
            raise ValueError("the core has no influence, so that values can be 0")
        for change in self.changes:
            if change.term not in self.influences:
                raise ValueError(f"{_shown(change.term)} changes, and has no influence")
            if not 0 < change.revision < self.revisions:
                raise ValueError(f"nothing can change at {change.revision} of {self.revisions} revisions")
            if not 0 <= change.factor < inf or (change.term == CORE and change.factor == 0):
                raise ValueError(f"the factor {change.factor} leaves values without a ratio")

    @property
    def revision_ids(self) -> tuple[RevisionId, ...]:
        """What its revisions are called, in order."""
        return tuple(RevisionId(str(number)) for number in range(self.revisions))

    def influence(self, term: Term, revision: int) -> float:
        """What the term adds to the value at a revision."""
        value = self.influences[term]
        for change in self.changes:
            if change.term == term and change.revision <= revision:
                value *= change.factor
        return value

    def value(self, revision: int, configuration: Configuration) -> float:
        """The value without noise."""
        chosen = configuration.chosen
        return sum(
            self.influence(term, revision)
            for term in self.influences
            if all(chosen[literal.option] == literal.value for literal in term)
        )

    def step(self, revision: int, configuration: Configuration) -> float:
        """What a revision changes in a configuration: the log ratio, after / before."""
        return log(self.value(revision, configuration) / self.value(revision - 1, configuration))


class SimulateExecutor:
    """Measures a simulated subject."""

    def __init__(self, subject: SimulatedSubject, metric: Metric, seed: int = 0) -> None:
        self._subject = subject
        self._number = {revision: number for number, revision in enumerate(subject.revision_ids)}
        self._drawn = DrawnExecutor(self._draw, metric, seed)

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """A sample at a time, point by point."""
        return self._drawn.execute(requests)

    def _draw(self, point: Point, rng: Random) -> float | Failed:
        number = self._number.get(point.revision)
        if number is None:
            return Failed(Stage.RUN, "The simulated subject has no such revision.")
        if number in self._subject.failing:
            return Failed(Stage.BUILD, "The simulated revision does not build.")
        return self._subject.value(number, point.configuration) * exp(rng.gauss(0.0, self._subject.noise))


def _shown(term: Term) -> str:
    return " and ".join(sorted(map(str, term))) or "the core"
