"""Configurations that were not sampled yet: sections 3.1 and 3.4.2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from sonde.core.options import Configuration, Term
from sonde.methods.pinpointing.likelihoods.batch import Batch
from sonde.methods.pinpointing.likelihoods.samples import Samples
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.search import SearchProblem
from sonde.space.samplers.distance_based import distance_based
from sonde.space.samplers.keep_term import keep_term
from sonde.space.samplers.vary_term import vary_term

ATTEMPTS = 5  # to draw some that exist in two steps at least

Sampler = Callable[[int], Sequence[Configuration]]


class NewConfigurations:
    """Draws configurations, none of them twice, and gives each its share of the steps."""

    def __init__(self, world: SearchProblem, samples: Samples, settings: PaperSettings, rng: Random) -> None:
        self._world = world
        self._samples = samples
        self._settings = settings
        self._rng = rng
        self._known: set[Configuration] = set()

    def begin(self, batch: Batch) -> None:
        """Wish for the initial sample, 3.1: N_initial configurations an option."""
        count = max(1, self._settings.initial_factor * len(self._world.space.options))
        self._add(batch, self._explore(count), batch.room)

    def acquire(self, batch: Batch, terms: Sequence[Term], budget: int) -> None:
        """Wish for new configurations within a budget of points.

        3 % of the steps each leave room for few configurations; the paper's 75 for exploration are as many as
        there may be at most. Half explore, the rest exploit the terms of the candidate solution.
        """
        self._known.update(course.configuration for course in self._samples.courses)
        count = budget // max(1, self._settings.steps_of(self._world.steps))
        if budget > 0:
            count = max(count, 1)
        exploited = self._exploit(terms, count // 2)
        explored = self._explore(min(count - len(exploited), self._settings.explored_configurations))
        self._add(batch, (*explored, *exploited), budget)

    def _add(self, batch: Batch, configurations: Sequence[Configuration], budget: int) -> None:
        spent = 0
        for configuration in configurations:
            first, end = self._samples.life(configuration)
            wanted = self._settings.steps_of(end - first)
            spent += batch.add_at_random(configuration, min(wanted, budget - spent), self._rng)

    def _explore(self, count: int) -> list[Configuration]:
        space = self._world.space
        return self._living(lambda wanted: distance_based(space, wanted, self._rng, self._known), count)

    def _exploit(self, terms: Sequence[Term], count: int) -> list[Configuration]:
        """Configurations in which a term may turn out to have too few or too many literals, in turn."""
        ways: list[Sampler] = []
        for term in terms:
            ways.append(partial(self._keep, term))
            if term:  # the core has nothing to vary
                ways.append(partial(self._vary, term))
        self._rng.shuffle(ways)
        found: list[Configuration] = []
        while ways and len(found) < count:
            share = -(-(count - len(found)) // len(ways))
            found += self._living(ways.pop(), share)
        return found

    def _keep(self, term: Term, count: int) -> Sequence[Configuration]:
        return keep_term(self._world.space, term, count, self._rng, self._known)

    def _vary(self, term: Term, count: int) -> Sequence[Configuration]:
        return vary_term(self._world.space, term, count, self._rng, self._known)

    def _living(self, sampler: Sampler, count: int) -> list[Configuration]:
        """Up to `count` configurations that exist long enough to change."""
        found: list[Configuration] = []
        for _ in range(ATTEMPTS):
            drawn = sampler(count - len(found)) if len(found) < count else ()
            self._known.update(drawn)
            for configuration in drawn:
                first, end = self._samples.life(configuration)
                if end - first >= self._settings.fewest_steps:
                    found.append(configuration)
        return found
