"""The paper's search: measure, estimate, associate, remember, acquire; and again."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.association import OptionColumns
from sonde.methods.pinpointing.likelihoods.batch import Batch
from sonde.methods.pinpointing.likelihoods.budget import split
from sonde.methods.pinpointing.likelihoods.candidate_solution import (
    ConfigurationLikelihoods,
    candidate_solution,
    estimate,
)
from sonde.methods.pinpointing.likelihoods.changes import by_step, changes, terms_of
from sonde.methods.pinpointing.likelihoods.new_configurations import NewConfigurations
from sonde.methods.pinpointing.likelihoods.new_steps import exploit_steps, explore_steps
from sonde.methods.pinpointing.likelihoods.samples import Samples
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.likelihoods.solution_cache import Association, SolutionCache
from sonde.methods.pinpointing.search import Program, SampleDemand, SearchProblem

UNLIMITED = 10**9
NOTHING_MEASURED = "nothing could be measured"
NOTHING_LEFT = "nothing is left to measure"
SETTLED = "the same associations were found repeatedly"
NOTHING_FOUND = "nothing was found in {} iterations in a row"
MOST_ITERATIONS = "the maximum number of iterations was reached"
MOST_MEASUREMENTS = "the maximum number of measurements was reached"


class Likelihoods:
    """The search of section 3.

    planner = PinpointPlanner(line, world, Likelihoods())
    """

    def __init__(self, settings: PaperSettings | None = None) -> None:
        self._settings = settings or PaperSettings()
        self._state: _State | None = None

    def run(self, world: SearchProblem) -> Program:
        """Iterate until the solution stays the same, or a limit is reached."""
        state = self._state = _State(world, self._settings)
        demands = state.begin()
        fruitless = 0
        for iteration in range(self._settings.most_iterations):
            if not demands:
                return state.reason_for_no_wishes()
            state.samples.hear(demands, (yield demands))
            if state.samples.courses:
                state.learn()
                if state.cache.is_settled:
                    return SETTLED if state.cache.weights else NOTHING_FOUND.format(state.cache.calm)
            else:
                fruitless += 1
                if fruitless >= self._settings.patience:
                    return NOTHING_MEASURED
            demands = state.acquire(iteration)
        return MOST_ITERATIONS if state.samples.courses else NOTHING_MEASURED

    def findings(self) -> tuple[TermChange, ...]:
        """The associations in the solution cache, one change a step and term."""
        state = self._state
        if state is None:
            return ()
        weights = state.cache.weights
        probabilities = {association: state.cache.probability(association) for association in weights}
        return changes(probabilities, state.samples.courses, state.threshold, state.deviation)

    def noise(self) -> float | None:
        """Relative deviation of a single run, from repeats; None without these."""
        return None if self._state is None else self._state.samples.noise


class _State:
    """All that an iteration leaves to the next one."""

    def __init__(self, world: SearchProblem, settings: PaperSettings) -> None:
        rng = Random(world.seed)
        self.samples = Samples(world)
        self.cache = SolutionCache(settings)
        self._world = world
        self._settings = settings
        self._rng = rng
        self._columns = OptionColumns(world.space)
        self._new_configurations = NewConfigurations(world, self.samples, settings, rng)
        self._estimates: dict[Configuration, tuple[float, ConfigurationLikelihoods]] = {}
        self._solution: list[Association] = []

    @property
    def threshold(self) -> float:
        """The relative difference that counts: what matters, and at least what noise does not make (3.2)."""
        noise = max(self._world.noise_floor, self.samples.noise or 0.0)
        return max(self._world.threshold, self._settings.noise_factor * noise)

    @property
    def deviation(self) -> float:
        """Relative deviation of a run; without repeats, the largest one that the threshold allows for."""
        if self.samples.noise is None:
            return self.threshold / self._settings.noise_factor
        return max(self._world.noise_floor, self.samples.noise)

    def begin(self) -> list[SampleDemand]:
        """The initial sample."""
        batch = self._batch(UNLIMITED)
        self._new_configurations.begin(batch)
        return batch.demands

    def learn(self) -> None:
        """Estimate likelihoods, assemble a candidate solution, and remember it."""
        steps = self._world.steps
        self._solution = candidate_solution(list(self._current()), self._columns, steps, self._settings)
        self.cache.update(self._solution)

    def acquire(self, iteration: int) -> list[SampleDemand]:
        """What to measure next. What one of the ways cannot spend is left to the others."""
        batch = self._batch(self._settings.measurements)
        budget = split(batch.room, iteration, self._settings)
        terms = [term for of_step in by_step(self._solution).values() for term in terms_of(of_step)]
        self._new_configurations.acquire(batch, terms, budget.configurations)
        likelihood_of = {
            each.course.configuration: (each.course.first, each.likelihood) for each in self._current()
        }
        exploit_steps(batch, likelihood_of, batch.room - budget.exploration, self._rng)
        explore_steps(batch, self.samples.usable, batch.room)
        return batch.demands

    def reason_for_no_wishes(self) -> str:
        """Why there is nothing to demand for."""
        if self.samples.points and not self.samples.courses:
            return NOTHING_MEASURED
        return MOST_MEASUREMENTS if self._batch(1).room <= 0 else NOTHING_LEFT

    def _batch(self, most: int) -> Batch:
        limit = self._settings.most_measurements
        left = UNLIMITED if limit is None else limit - self.samples.points
        return Batch(self.samples, min(most, left), self._world.runs)

    def _current(self) -> Iterator[ConfigurationLikelihoods]:
        """The likelihoods of all configurations; only those are reckoned of which something new is known."""
        threshold = self.threshold
        for course in self.samples.courses:
            known = self._estimates.get(course.configuration)
            if known is None or known[0] != threshold or known[1].course is not course:
                known = (threshold, estimate(course, threshold))
                self._estimates[course.configuration] = known
            yield known[1]
