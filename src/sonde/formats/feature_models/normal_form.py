"""Constraints as clauses without help variables, for formats that know nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from sonde.formats.feature_models.errors import ModelError
from sonde.space.expressions import Connective, Counted, Expression, Fact, Joined, Not, Quantity

MOST_CLAUSES = 20_000

Clause = frozenset[tuple[Fact, bool]]  # at least one of these holds, or does not hold where it says False
Clauses = frozenset[Clause]

_ALWAYS: Clauses = frozenset()
_NEVER: Clauses = frozenset([frozenset()])


def clauses_of(expression: Expression) -> list[Clause]:
    """Clauses that hold where `expression` does, the short ones first; raises ModelError for too many."""
    clauses = _clauses(expression, True)
    kept: list[Clause] = []
    for clause in sorted(clauses, key=lambda each: (len(each), sorted(map(str, each)))):
        if len(clauses) > 500 or not any(other <= clause for other in kept):
            kept.append(clause)
    return kept


def _clauses(expression: Expression, sign: bool) -> Clauses:
    match expression:
        case Fact():
            return frozenset([frozenset([(expression, sign)])])
        case Not(operand):
            return _clauses(operand, not sign)
        case Joined(connective, left, right):
            return _joined(connective, left, right, sign)
        case Counted(quantity, operands):
            return _counted(quantity, operands, sign)


def _joined(connective: Connective, left: Expression, right: Expression, sign: bool) -> Clauses:
    match connective:
        case Connective.IFF:
            return _both(
                _either(_clauses(left, not sign), _clauses(right, True)),
                _either(_clauses(left, sign), _clauses(right, False)),
            )
        case Connective.AND | Connective.EXCLUDES:
            is_both = (connective is Connective.AND) is sign
            parts = _clauses(left, is_both), _clauses(right, is_both)
            return _both(*parts) if is_both else _either(*parts)
        case Connective.OR:
            parts = _clauses(left, sign), _clauses(right, sign)
            return _either(*parts) if sign else _both(*parts)
        case Connective.IMPLIES | Connective.REQUIRES:
            parts = _clauses(left, not sign), _clauses(right, sign)
            return _either(*parts) if sign else _both(*parts)


def _counted(quantity: Quantity, operands: Sequence[Expression], sign: bool) -> Clauses:
    match quantity:
        case Quantity.AT_LEAST_ONE:
            return _some(operands, True) if sign else _each(operands, False)
        case Quantity.AT_MOST_ONE:
            return _at_most_one(operands) if sign else _at_least_two(operands)
        case Quantity.EXACTLY_ONE if sign:
            return _both(_some(operands, True), _at_most_one(operands))
        case Quantity.EXACTLY_ONE:
            return _either(_each(operands, False), _at_least_two(operands))


def _at_most_one(operands: Sequence[Expression]) -> Clauses:
    if len(operands) ** 2 > 2 * MOST_CLAUSES:
        raise _too_many()
    return _both(*(_some(pair, False) for pair in combinations(operands, 2)))


def _at_least_two(operands: Sequence[Expression]) -> Clauses:
    """Whichever is left out, one of the others holds."""
    others = ([*operands[:at], *operands[at + 1 :]] for at in range(len(operands)))
    return _both(*(_some(rest, True) for rest in others))


def _some(operands: Sequence[Expression], sign: bool) -> Clauses:
    return _either(*(_clauses(operand, sign) for operand in operands))


def _each(operands: Sequence[Expression], sign: bool) -> Clauses:
    return _both(*(_clauses(operand, sign) for operand in operands))


def _both(*parts: Clauses) -> Clauses:
    joined = _ALWAYS.union(*parts)
    if len(joined) > MOST_CLAUSES:
        raise _too_many()
    return joined


def _either(*parts: Clauses) -> Clauses:
    joined = _NEVER
    for part in parts:
        if len(joined) * len(part) > MOST_CLAUSES:
            raise _too_many()
        pairs = (one | other for one in joined for other in part)
        joined = frozenset(clause for clause in pairs if not _is_tautology(clause))
    return joined


def _is_tautology(clause: Clause) -> bool:
    return any((fact, not sign) in clause for fact, sign in clause)


def _too_many() -> ModelError:
    return ModelError(
        f"a constraint takes more than {MOST_CLAUSES:,} clauses in this format. Split it into smaller ones."
    )
