"""What the search knows at a moment: what was measured, which boundaries it found, and what follows."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from math import log
from random import Random

import numpy as np

from sonde.methods.pinpointing.search import DemandResult, SampleDemand, SearchProblem
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, TermKey, term_holds
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import evidence_of, negligible_steps, readings
from sonde.methods.pinpointing.shared_steps.belief.location import locate
from sonde.methods.pinpointing.shared_steps.belief.priors import Priors
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.belief.sheet import Sheet
from sonde.methods.pinpointing.shared_steps.belief.steps import steps_across
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable
from sonde.methods.pinpointing.shared_steps.belief.terms import LONGEST_SEED, TermSearch, probabilities
from sonde.methods.pinpointing.shared_steps.belief.variants import Variants

UNREPEATED = 0.25  # of what a value would say if it could be repeated
CLEAR = 5.0  # standard deviations of a step that is there beyond doubt

Row = Integers
Measuring = Generator[Sequence[SampleDemand], Sequence[DemandResult], bool]  # whether anything new came of it
Asking = Generator[Sequence[SampleDemand], Sequence[DemandResult], None]


class Knowledge:
    """Everything that parts of the search share."""

    def __init__(self, world: SearchProblem, settings: SearchSettings) -> None:
        self.world = world
        self.settings = settings
        self.alphabet = Alphabet(world.space)
        self.variants = Variants(world.space, self.alphabet, settings.enumerable)
        self.lowest = self.variants.lowest()
        self.highest = self.variants.highest()
        self.sheet = Sheet(self.alphabet, self.lowest, world.steps, world.noise_floor)
        self.priors = Priors(self.alphabet, settings, self.variants.always())
        self.rng = Random(world.seed)
        self.boundaries: list[Boundary] = []
        self.rich: list[Row] = []  # large configurations, in which any change shows if faintly
        self._terms = TermSearch(self.alphabet, self.priors, settings)
        self._lives: dict[bytes, tuple[int, int]] = {}

    @property
    def table(self) -> SumTable:
        """Sums over everything measured so far."""
        return self.sheet.table()

    @property
    def negligible(self) -> Array:
        """The steps that cannot matter, for each configuration."""
        return negligible_steps(self.table, self.world.threshold, self.settings)

    @property
    def is_sharp(self) -> bool:
        """Whether values are as good as exact."""
        return self.sheet.deviation < 0.01 * self.world.threshold

    @property
    def doubt(self) -> float:
        """How likely a configuration steps for no reason at all; runs that can be repeated do not."""
        return 0.0 if self.sheet.is_repeatable else self.settings.stray

    @property
    def _contradiction(self) -> float:
        """What a silent configuration says against a term; values that cannot be repeated say less."""
        return self.settings.contradiction * (1.0 if self.sheet.is_repeatable else UNREPEATED)

    def life(self, row: Row) -> tuple[int, int]:
        """The steps at which a configuration exists."""
        key = row.tobytes()
        if key not in self._lives:
            self._lives[key] = self.world.life(self.alphabet.configuration(row))
        return self._lives[key]

    def measure(self, wanted: Iterable[tuple[Row, int, int]]) -> Measuring:
        """Ask for points, each with so many runs in all; whether anything new came of it."""
        demands: dict[tuple[bytes, int], tuple[Row, int, int]] = {}
        for row, step, runs in wanted:
            first, end = self.life(row)
            if first <= step < end and self.sheet.is_open(row, step):
                allowed = min(max(runs, self.world.runs), max(self.world.most_runs, self.world.runs))
                key = (row.tobytes(), step)
                if key not in demands or demands[key][2] < allowed:
                    demands[key] = (row, step, allowed)
        needed = [
            SampleDemand(step, self.alphabet.configuration(row), runs)
            for row, step, runs in demands.values()
            if self.sheet.runs(row, step) < (runs if self.sheet.is_repeatable else 1)
        ]
        if not needed:
            return False
        heard = yield needed
        self.sheet.hear(heard)
        return any(answer.values for answer in heard)

    def others(self, boundary: Boundary) -> list[Boundary]:
        """All boundaries but this one."""
        return [each for each in self.boundaries if each is not boundary]

    def steps(self, boundary: Boundary, by_scatter: bool = True) -> StepHeights:
        """The step of each configuration at a boundary."""
        return steps_across(self.table, boundary, self.others(boundary), by_scatter)

    def attribute(self, boundary: Boundary, anew: bool = True) -> None:
        """Find the likeliest terms behind a boundary, and how likely it is that there is a change at all.

        Not `anew`: only the terms that were likely before are weighed again.
        """
        table, is_listed = self.table, boundary in self.boundaries
        # Where a suspicion is new, the change that ends what it begins may not be known yet.
        steps, noisy = self.steps(boundary, is_listed), self.steps(boundary, by_scatter=False)
        negligible, settings = self.negligible, self.settings
        careful = readings(steps, table, negligible, settings, settings.stray, self._contradiction)
        if anew or not boundary.terms:
            scored = self._terms.likeliest(careful, table.held, self._seeds(steps))
        else:
            scored = self._terms.again([term for term, _ in boundary.terms], careful, table.held)
        boundary.terms = probabilities(scored)
        boundary.guess = boundary.terms[0][0]
        plain = readings(noisy, table, negligible, settings, self.doubt)
        best = self._terms.score([term for term, _ in scored[:100]], plain, table.held).max()
        # Whatever its term is: a single configuration may step beyond doubt.
        alone = evidence_of(plain, lambda column: column).max() + self.priors.rarest
        width = boundary.latest - boundary.earliest + 1
        boundary.log_odds = float(max(best, alone)) + log(settings.changes * width / self.world.steps)

    def _seeds(self, steps: StepHeights) -> list[TermKey]:
        """What small configurations that step beyond doubt have on top of the lowest one."""
        clear = np.abs(steps.height) > CLEAR * np.sqrt(steps.variance + self.negligible**2)
        seeds = []
        for line in np.nonzero(clear & steps.is_known)[0]:
            row = self.sheet.lines[line]
            literals = self.alphabet.literal_indices(row)[row != self.lowest]
            if 2 < len(literals) <= LONGEST_SEED:
                seeds.append(tuple(literals.tolist()))
        return seeds

    def affected(self, boundary: Boundary) -> Flags:
        """The configurations that step at a boundary, as far as is known."""
        term = boundary.guess if boundary.term is None else boundary.term
        return term_holds(self.table.held, term)

    def narrow(self, boundary: Boundary) -> bool:
        """Tell where a boundary lies; False if nothing is known of it."""
        affected = self.affected(boundary)
        location = locate(self.table, boundary, self.others(boundary), affected, self.negligible)
        if location is None:
            return False
        location.narrow(boundary)
        return True
