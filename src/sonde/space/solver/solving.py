"""Answers about a space from a SAT solver.

An answer depends on the space, the question and the seed, never on earlier questions. A solver that learns
from one question may answer the next one differently, so a question for a configuration gets a solver of its
own (0.1 ms at 64 options, 7 ms at 5,000); only questions for yes or no share one, since every solver says
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from random import Random

from pysat.solvers import Minisat22

from sonde.core.options import Configuration, Literal, OptionName
from sonde.space.diagrams.by_distance import DistanceCounts, count_distances
from sonde.space.diagrams.diagram import Diagram
from sonde.space.expressions import Expression
from sonde.space.solver.conflicts import NoValidConfiguration, find_conflict
from sonde.space.solver.deciding import is_satisfiable
from sonde.space.solver.distance_search import search_at_distance
from sonde.space.solver.encoding import Encoding
from sonde.space.solver.most import model_with_most

_MISSES = 20  # forbidden terms in a row, until a solver is asked whether anything else is left


class Solver:
    """Finds valid configurations; `Space.solver` is the one of a space."""

    def __init__(self, encoding: Encoding, diagram: Callable[[], Diagram | None] = lambda: None) -> None:
        self._encoding = encoding
        self._diagram = diagram  # made when first needed
        self._variables = encoding.variables
        self._last_counts: tuple[object, DistanceCounts | None] | None = None

    def is_possible(self, fixed: Iterable[Literal] = ()) -> bool:
        """Whether these literals hold in some valid configuration."""
        return is_satisfiable(self._shared, self._variables.literals(fixed))

    def complete(self, fixed: Iterable[Literal] = (), rng: Random | None = None) -> Configuration | None:
        """A valid configuration in which these literals hold, or None if there is none.

        With `rng` a random one, though some are likelier than others; without it one that has many defaults.
        """
        given = self._variables.literals(fixed)
        phases = self._variables.default_phases() if rng is None else self._variables.random_phases(rng)
        with Minisat22(bootstrap_with=self._encoding.clauses) as solver:
            solver.set_phases(phases)
            if not is_satisfiable(solver, given):
                return None
            return self._variables.configuration(solver.get_model())

    def nearest(
        self,
        configuration: Configuration,
        fixed: Iterable[Literal] = (),
        tie_break: Configuration | None = None,
    ) -> Configuration:
        """A valid configuration in which as few options as possible differ from `configuration`.

        Among several of these, one that is as near as possible to `tie_break`. Both may break constraints.
        Raises NoValidConfiguration if the literals that are fixed hold in no valid configuration.
        """
        wanted = tuple(fixed)
        given = self._variables.literals(wanted)
        values = list(self._variables.values_of(configuration).values())
        ties = list(self._variables.values_of(tie_break).values()) if tie_break else []
        is_possible = is_satisfiable(self._shared, given)  # within a limit, which the search has not
        model = model_with_most(self._encoding, values, given, ties) if is_possible else None
        if model is None:
            raise NoValidConfiguration(find_conflict(self._encoding, wanted), wanted)
        return self._variables.configuration(model)

    def distances(
        self,
        origin: Configuration,
        among: Collection[OptionName] | None = None,
        fixed: Iterable[Literal] = (),
    ) -> tuple[int, int] | None:
        """The least and the largest number of options that differ from `origin` in a valid configuration.

        Only options `among` these are counted. None if the literals that are fixed hold in no valid
        configuration.
        """
        given = self._variables.literals(fixed)
        same = list(self._counted(origin, among).values())
        if not is_satisfiable(self._shared, given):
            return None
        nearest = model_with_most(self._encoding, same, given)
        farthest = model_with_most(self._encoding, [-literal for literal in same], given)
        if nearest is None or farthest is None:
            return None
        return _differing(same, nearest), _differing(same, farthest)

    def about_distance(
        self,
        origin: Configuration,
        distance: int,
        rng: Random,
        among: Collection[OptionName] | None = None,
        fixed: Iterable[Literal] = (),
    ) -> Configuration | None:
        """A random valid configuration in which about `distance` options differ from `origin`.

        Much quicker than exactly so many. None if the literals that are fixed hold in no valid configuration.
        """
        counted = self._counted(origin, among)
        given = self._variables.literals(fixed)
        with Minisat22(bootstrap_with=self._encoding.clauses) as solver:
            solver.set_phases(self._variables.phases_at(counted, min(distance, len(counted)), rng))
            if not is_satisfiable(solver, given):
                return None
            return self._variables.configuration(solver.get_model())

    def at_distance(
        self,
        origin: Configuration,
        distance: int,
        rng: Random,
        among: Collection[OptionName] | None = None,
        fixed: Iterable[Literal] = (),
        excluded: Collection[Configuration] = (),
        forbidden: Iterable[Iterable[Literal]] = (),
    ) -> Configuration | None:
        """A random valid configuration in which exactly `distance` options differ from `origin`, or None.

        Only options `among` these are counted; the others are free. It is not `excluded` (give a set) and has
        none of the terms that are `forbidden`. Where the space has a small diagram, each is as probable as
        any other. Elsewhere some are likelier, and None may also mean that none was found after many tries,
        since a proof can take for ever; so ask `distances` first.
        """
        found = self.each_at_distance(origin, distance, rng, among, fixed, forbidden)
        return next((each for each in found if each not in excluded), None)

    def each_at_distance(
        self,
        origin: Configuration,
        distance: int,
        rng: Random,
        among: Collection[OptionName] | None = None,
        fixed: Iterable[Literal] = (),
        forbidden: Iterable[Iterable[Literal]] = (),
    ) -> Iterator[Configuration]:
        """All that `at_distance` can find, each once, in random order."""
        given = self._variables.literals(fixed)
        if not is_satisfiable(self._shared, given):
            return
        terms = [tuple(term) for term in forbidden]
        everywhere = self._settled
        counted = self._counted(origin, among)
        left = distance - sum(everywhere.get(name, literal) != literal for name, literal in counted.items())
        counted = {name: literal for name, literal in counted.items() if name not in everywhere}
        counts = self._distance_counts(counted, given)
        known: list[Configuration] = []
        if counts is not None:
            misses = 0
            for found in counts.each(left, rng):
                is_miss = any(_has(found, term) for term in terms)
                misses = misses + 1 if is_miss else 0
                if misses > _MISSES:
                    break
                if not is_miss:
                    if terms:
                        known.append(found)
                    yield found
            else:
                return
        yield from search_at_distance(self._encoding, counted, left, rng, given, terms, known)

    def dead_values(self) -> tuple[Literal, ...]:
        """The literals that hold in no valid configuration, in the order of options and values."""
        possible: set[int] = set()
        dead: list[Literal] = []
        for place in self._variables.places.values():
            for literal, (name, value) in zip(place.literals, place.pairs, strict=True):
                if literal in possible:
                    continue
                if is_satisfiable(self._shared, [literal]):
                    possible.update(self._shared.get_model())
                else:
                    dead.append(Literal(name, value))
        return tuple(dead)

    def fixed_options(self) -> tuple[Literal, ...]:
        """The options that have several values of which only one is possible, each with that one.

        Raises NoValidConfiguration if no configuration is valid.
        """
        dead = set(self.dead_values())
        found: list[Literal] = []
        for option in self._variables.options:
            left = [value for value in option.values if Literal(option.name, value) not in dead]
            if not left:
                raise NoValidConfiguration(find_conflict(self._encoding))
            if len(left) == 1 < len(option.values):
                found.append(Literal(option.name, left[0]))
        return tuple(found)

    def conflict(self, wanted: Iterable[Literal] = ()) -> tuple[Expression, ...]:
        """Constraints that cannot all hold where options have the `wanted` values; any fewer of these can."""
        return find_conflict(self._encoding, wanted)

    @cached_property
    def _shared(self) -> Minisat22:
        """For questions whose answer is yes or no."""
        return Minisat22(bootstrap_with=self._encoding.clauses)

    def _distance_counts(self, origin: dict[OptionName, int], given: list[int]) -> DistanceCounts | None:
        """The counts for an origin; kept, since a sampler asks for one origin many times."""
        question = (tuple(origin.items()), tuple(given))
        if self._last_counts is None or self._last_counts[0] != question:
            diagram = self._diagram()
            counts = None if diagram is None else count_distances(diagram, origin, given)
            self._last_counts = (question, counts)
        return self._last_counts[1]

    @cached_property
    def _settled(self) -> dict[OptionName, int]:
        """The literals of the options that have only one possible value."""
        return {
            literal.option: self._variables.literal(literal.option, literal.value)
            for literal in self.fixed_options()
        }

    def _counted(self, origin: Configuration, among: Collection[OptionName] | None) -> dict[OptionName, int]:
        """What the counted options are at `origin`; options with one value never differ."""
        return {
            place.option.name: self._variables.literal(place.option.name, origin[place.option.name])
            for place in self._variables.places.values()
            if len(place.literals) > 1 and (among is None or place.option.name in among)
        }


def _has(configuration: Configuration, term: Iterable[Literal]) -> bool:
    return all(configuration[literal.option] == literal.value for literal in term)


def _differing(same: list[int], model: list[int]) -> int:
    return sum(model[abs(literal) - 1] != literal for literal in same)
