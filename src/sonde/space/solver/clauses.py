"""Constraints as clauses: lists of literals of which at least one holds.

What is a clause already becomes just that clause. Elsewhere a new variable stands for a part of the
expression (Tseitin, "On the complexity of derivation in propositional calculus", 1968), in one direction
only, since a part is asked for with one sign (Plaisted and Greenbaum, "A structure-preserving clause form
translation", 1986).
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.space.expressions import Connective, Counted, Expression, Fact, Joined, Not, Quantity, satisfying
from sonde.space.variables import Variables

Clause = list[int]
Signed = tuple[Expression, bool]  # an expression, and whether it or its opposite is meant

_PAIRWISE_UP_TO = 5  # from here on a chain of new variables is shorter than a clause for every pair

# Which connectives are alternatives: the signs of both sides. With the opposite sign they are conjunctions.
_EITHER = {
    Connective.OR: (True, True),
    Connective.IMPLIES: (False, True),
    Connective.REQUIRES: (False, True),
    Connective.EXCLUDES: (False, False),
}


class ClauseWriter:
    """Writes expressions as clauses over the variables of the options and new ones."""

    def __init__(self, variables: Variables) -> None:
        self.last = variables.last  # the last variable in use
        self.definitions: list[Clause] = []  # what the new variables mean; true whatever constraints hold
        self._variables = variables
        self._parts: dict[tuple[int, bool], int] = {}
        for place in variables.places.values():
            if place.is_group:
                self.definitions += [list(place.literals), *self._at_most_one(place.literals)]

    def clauses_of(self, expression: Expression) -> list[Clause]:
        """Clauses that, together with the definitions, say what `expression` says."""
        # The numbers of parts are kept for this expression only: it is alive as long as they are in use.
        self._parts.clear()
        return self._all((expression, True))

    def _all(self, *signed: Signed) -> list[Clause]:
        """Clauses that say that each of these holds."""
        clauses: list[Clause] = []
        rest = list(reversed(signed))
        while rest:
            expression, sign = rest.pop()
            match expression:
                case Not(operand):
                    rest.append((operand, not sign))
                case Joined(Connective.AND, left, right) if sign:
                    rest += [(right, True), (left, True)]
                case Joined(Connective.IFF, left, right):
                    clauses.append(self._any((left, False), (right, sign)))
                    clauses.append(self._any((left, True), (right, not sign)))
                case Joined(connective, left, right) if not sign and connective in _EITHER:
                    first, second = _EITHER[connective]
                    rest += [(right, not second), (left, not first)]
                case Counted(Quantity.AT_LEAST_ONE, operands) if not sign:
                    rest += [(operand, False) for operand in reversed(operands)]
                case Counted(quantity, operands) if sign and quantity is not Quantity.AT_LEAST_ONE:
                    if quantity is Quantity.EXACTLY_ONE:
                        clauses.append(self._any(*((operand, True) for operand in operands)))
                    clauses += self._at_most_one([-self._part(operand, False) for operand in operands])
                case _:
                    clauses.append(self._any((expression, sign)))
        return [clause or self._never() for clause in clauses]

    def _any(self, *signed: Signed) -> Clause:
        """A clause that says that at least one of these holds."""
        clause: Clause = []
        rest = list(reversed(signed))
        while rest:
            expression, sign = rest.pop()
            match expression:
                case Fact():
                    clause += self._fact(expression, sign)
                case Not(operand):
                    rest.append((operand, not sign))
                case Joined(Connective.AND, left, right) if not sign:
                    rest += [(right, False), (left, False)]
                case Joined(connective, left, right) if sign and connective in _EITHER:
                    first, second = _EITHER[connective]
                    rest += [(right, second), (left, first)]
                case Counted(Quantity.AT_LEAST_ONE, operands) if sign:
                    rest += [(operand, True) for operand in reversed(operands)]
                case Counted(quantity, operands) if not sign and quantity is not Quantity.AT_LEAST_ONE:
                    clause.append(self._at_least_two([self._part(operand, True) for operand in operands]))
                    if quantity is Quantity.EXACTLY_ONE:
                        clause.append(self._named(self._all(*((operand, False) for operand in operands))))
                case _:
                    clause.append(self._part(expression, sign))
        return list(dict.fromkeys(clause))

    def _part(self, expression: Expression, sign: bool) -> int:
        """A literal that implies the expression, or its opposite; free to hold where that does."""
        key = (id(expression), sign)
        if key not in self._parts:
            clauses = self._all((expression, sign))
            is_literal = len(clauses) == 1 and len(clauses[0]) == 1
            self._parts[key] = clauses[0][0] if is_literal else self._named(clauses)
        return self._parts[key]

    def _fact(self, fact: Fact, sign: bool) -> list[int]:
        place = self._variables.places[fact.option]
        return [
            literal
            for literal, is_so in zip(place.literals, satisfying(fact, place.option), strict=True)
            if is_so == sign
        ]

    def _named(self, clauses: Sequence[Clause]) -> int:
        """A new variable that implies all these clauses."""
        name = self._new()
        self.definitions += [[-name, *clause] for clause in clauses]
        return name

    def _at_most_one(self, literals: Sequence[int]) -> list[Clause]:
        if len(literals) <= _PAIRWISE_UP_TO:
            return [[-one, -other] for at, one in enumerate(literals) for other in literals[:at]]
        clauses: list[Clause] = []
        before = 0  # holds if one of the literals so far does (Sinz, 2005)
        for literal in literals[:-1]:
            one = self._new()
            clauses.append([-literal, one])
            if before:
                clauses += [[-before, one], [-before, -literal]]
            before = one
        return [*clauses, [-before, -literals[-1]]]

    def _at_least_two(self, literals: Sequence[int]) -> int:
        """A new variable that implies that two of these hold."""
        ends: Clause = []
        before = literals[0]  # implies that one of the literals so far holds
        for literal in literals[1:]:
            ends.append(self._named([[literal], [before]]))
            before = self._named([[literal, before]])
        return self._named([ends or self._never()])

    def _never(self) -> Clause:
        """A clause that no model satisfies."""
        name = self._new()
        self.definitions.append([-name])
        return [name]

    def _new(self) -> int:
        self.last += 1
        return self.last
