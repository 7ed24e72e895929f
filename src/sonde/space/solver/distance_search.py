"""Random configurations at a distance from a solver that counts, where a diagram is too large."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from pysat.solvers import Minicard

from sonde.core.options import Configuration, Literal, OptionName
from sonde.space.solver.encoding import Encoding
from sonde.space.variables import Variables

# In conflicts of the solver, not in seconds, so that the answer is the same on every machine.
_CONFLICTS = 50.0  # of the first try
_PATIENCE = 1.2  # each try may be so much longer than the one before
_MOST_CONFLICTS = 5_000.0  # of a try; the last one, after about 30,000 in all: a few seconds


def search_at_distance(
    encoding: Encoding,
    origin: Mapping[OptionName, int],
    distance: int,
    rng: Random,
    given: Sequence[int],
    forbidden: Iterable[Iterable[Literal]],
    known: Iterable[Configuration],
) -> Iterator[Configuration]:
    """Valid configurations in which `distance` of the options in `origin` differ from their literal there.

    Each once, none of the `known`, in random order. They end when there are no more, or none was found after
    many tries: a proof can take for ever. Each option in `origin` can differ. Solvers are bad at counting, so
    a try that leads nowhere is given up early, and the next begins with other random values.
    """
    same = list(origin.values())
    if not 0 <= distance <= len(same):
        return
    variables = encoding.variables
    with Minicard(bootstrap_with=encoding.clauses) as solver:
        if distance < len(same):
            solver.add_atmost([-literal for literal in same], distance)
        if distance > 0:
            solver.add_atmost(same, len(same) - distance)
        for term in forbidden:
            solver.add_clause([-literal for literal in variables.literals(term)])
        for configuration in known:
            _exclude(solver, variables, configuration)
        conflicts = _CONFLICTS
        while conflicts < _MOST_CONFLICTS:
            solver.set_phases(variables.phases_at(origin, distance, rng))
            solver.conf_budget(int(conflicts))
            answer = solver.solve_limited(assumptions=given)
            if answer is False:
                return
            if answer is None:
                conflicts *= _PATIENCE
                continue
            conflicts = _CONFLICTS
            found = variables.configuration(solver.get_model())
            _exclude(solver, variables, found)
            yield found


def _exclude(solver: Minicard, variables: Variables, configuration: Configuration) -> None:
    solver.add_clause([-literal for literal in variables.values_of(configuration).values()])
