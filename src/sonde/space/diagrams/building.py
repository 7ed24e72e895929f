"""Builds the decision diagram of a space, as long as it stays small.

CUDD does the work where its wheel is installed (`dd.cudd`), Python code elsewhere (`dd.autoref`). How large a
diagram may become is counted in nodes and bytes, never in seconds, so that the same space builds on every
machine or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sonde.core.options import Option
from sonde.space.diagrams.diagram import NO, YES, Diagram, Node
from sonde.space.diagrams.ordering import close_order
from sonde.space.expressions import (
    Connective,
    Counted,
    Expression,
    Fact,
    Joined,
    Not,
    Quantity,
    chain,
    options_of,
    satisfying,
)
from sonde.space.variables import Variables

LIMIT_NODES = 100_000  # builds, or is given up, within a few seconds
_BYTES_A_NODE = 320  # with those that come and go
_BYTES_A_VARIABLE = 16_384
_BYTES = 4_000_000  # of an empty diagram
_CHECK_EVERY = 10  # constraints
_CACHE = 1 << 14  # entries at first; it grows, and a large one takes longer to make than most diagrams

_Function = Any  # of dd, which has no types


class _TooLarge(Exception):
    """The diagram does not stay small."""


def build_diagram(
    options: Sequence[Option], constraints: Sequence[Expression], limit_nodes: int = LIMIT_NODES
) -> Diagram | None:
    """The diagram of the valid configurations, or None if it becomes larger than `limit_nodes`."""
    variables = Variables(options)
    names = [list(options_of(constraint)) for constraint in constraints]
    order = close_order([option.name for option in options], names)
    position = {name: at for at, name in enumerate(order)}
    # From the last options to the first: each constraint then changes the upper part of the diagram only.
    by_first = sorted(
        range(len(constraints)),
        key=lambda at: (min(map(position.__getitem__, names[at])), max(map(position.__getitem__, names[at]))),
        reverse=True,
    )
    builder = _Builder(
        variables, [literal for name in order for literal in _own(variables, name)], limit_nodes
    )
    try:
        return builder.build(order, [constraints[at] for at in by_first])
    except _TooLarge:
        return None


def _own(variables: Variables, name: str) -> list[int]:
    return sorted(set(map(abs, variables.places[name].literals)))


class _Builder:
    def __init__(self, variables: Variables, order: Sequence[int], limit_nodes: int) -> None:
        self._variables = variables
        self._order = order
        self._limit_nodes = limit_nodes
        self._bdd = _new_bdd(limit_nodes, len(order))
        self._bdd.declare(*(f"v{variable}" for variable in order))
        self._literal = {variable: self._bdd.var(f"v{variable}") for variable in order}
        self._literal |= {-variable: ~function for variable, function in self._literal.items()}

    def build(self, options: Sequence[str], constraints: Sequence[Expression]) -> Diagram:
        whole = self._bdd.true
        for name in reversed(options):
            place = self._variables.places[name]
            if place.is_group:
                one = self._counted(Quantity.EXACTLY_ONE, [self._literal[each] for each in place.literals])
                whole = self._both(whole, one)
        for at, constraint in enumerate(constraints):
            whole = self._both(whole, self._function(constraint))
            if at % _CHECK_EVERY == 0 and whole.dag_size > self._limit_nodes:
                raise _TooLarge
        if whole.dag_size > self._limit_nodes:
            raise _TooLarge
        return Diagram(self._variables, self._order, self._nodes(whole))

    def _function(self, expression: Expression) -> _Function:
        match expression:
            case Fact():
                place = self._variables.places[expression.option]
                true = satisfying(expression, place.option)
                literals = [literal for literal, is_so in zip(place.literals, true, strict=True) if is_so]
                return self._either(*(self._literal[literal] for literal in literals))
            case Not(operand):
                return ~self._function(operand)
            case Joined(connective):
                return self._joined(connective, [self._function(part) for part in chain(expression)])
            case Counted(quantity, operands):
                return self._counted(quantity, [self._function(operand) for operand in operands])

    def _joined(self, connective: Connective, parts: Sequence[_Function]) -> _Function:
        match connective:
            case Connective.AND:
                return ~self._either(*(~part for part in parts))
            case Connective.OR:
                return self._either(*parts)
            case Connective.IMPLIES | Connective.REQUIRES:
                return self._either(~parts[0], parts[1])
            case Connective.EXCLUDES:
                return self._either(~parts[0], ~parts[1])
            case Connective.IFF:
                return self._apply("equiv", parts[0], parts[1])

    def _counted(self, quantity: Quantity, parts: Sequence[_Function]) -> _Function:
        if quantity is Quantity.AT_LEAST_ONE:
            return self._either(*parts)
        none, one = self._bdd.true, self._bdd.false  # of the parts so far, the last one first
        for part in reversed(parts):
            none, one = self._both(none, ~part), self._apply("ite", part, none, one)
        return one if quantity is Quantity.EXACTLY_ONE else self._either(none, one)

    def _either(self, *parts: _Function) -> _Function:
        whole = self._bdd.false
        # A part whose variable comes last first: what is there already is then below what is added.
        for part in sorted(parts, key=lambda part: part.level, reverse=True):
            whole = self._apply("or", whole, part)
        return whole

    def _both(self, one: _Function, other: _Function) -> _Function:
        return self._apply("and", one, other)

    def _apply(self, operator: str, *operands: _Function) -> _Function:
        try:
            return self._bdd.apply(operator, *operands)
        except RuntimeError:  # dd says so where CUDD would need more memory than it may have
            raise _TooLarge from None

    def _nodes(self, whole: _Function) -> list[Node]:
        """The nodes of a function, children first; dd shares nodes between a function and its opposite."""
        numbers = {int(self._bdd.false): NO, int(self._bdd.true): YES}
        nodes: list[Node] = [(len(self._order), NO, NO), (len(self._order), YES, YES)]
        rest = [whole]
        while rest:
            function = rest[-1]
            if int(function) in numbers:
                rest.pop()
                continue
            low, high = function.low, function.high
            if function.negated:
                low, high = ~low, ~high
            open_children = [child for child in (low, high) if int(child) not in numbers]
            if open_children:
                rest += open_children
                continue
            rest.pop()
            numbers[int(function)] = len(nodes)
            nodes.append((function.level, numbers[int(low)], numbers[int(high)]))
        return nodes if numbers[int(whole)] == len(nodes) - 1 else nodes[: numbers[int(whole)] + 1]


def _new_bdd(limit_nodes: int, variables: int) -> Any:
    try:
        from dd.cudd import BDD
    except ImportError:
        from dd import autoref

        return autoref.BDD()
    bdd = BDD(initial_cache_size=_CACHE)
    bytes_in_all = _BYTES + variables * _BYTES_A_VARIABLE + limit_nodes * _BYTES_A_NODE
    bdd.configure(reordering=False, max_memory=bytes_in_all)
    return bdd
