"""Formulas as feature models write them: `!a | (b & c) => d <=> e`.

formula = implied {"<=>" implied}
implied = either ["=>" implied]
either  = both {"|" both}
both    = single {"&" single}
single  = ("!" | "-") single | "(" formula ")" | NAME
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sonde.formats.feature_models.errors import UnreadableModelText
from sonde.space.expressions import Comparator, Connective, Counted, Expression, Fact, Joined, Not, Quantity

DEEPEST = 60

_TOKEN = re.compile(r"\s*(<=>|=>|\|\|?|&&?|[!~()]|\"[^\"]*\"|'[^']*'|-|[^\s|&!~()<>=\"]+|.)", re.DOTALL)
_SAME = {"||": "|", "&&": "&", "~": "!", "-": "!"}


def is_on(name: str) -> Fact:
    """That the on/off option `name` is on."""
    return Fact(name, Comparator.EQUAL, True)


def either(parts: Sequence[Expression]) -> Expression:
    """That at least one of `parts` holds."""
    if len(parts) > 2:
        return Counted(Quantity.AT_LEAST_ONE, tuple(parts))
    return parts[0] if len(parts) == 1 else Joined(Connective.OR, parts[0], parts[1])


def both(parts: Sequence[Expression]) -> Expression:
    """That all of `parts` hold; a flat tree, however many there are."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return Joined(Connective.AND, both(parts[:middle]), both(parts[middle:]))


def implies(premise: Expression, conclusion: Expression) -> Expression:
    """That `conclusion` holds wherever `premise` does."""
    return Joined(Connective.IMPLIES, premise, conclusion)


def clause(literals: Sequence[tuple[Fact, bool]]) -> Expression:
    """That one of these facts holds, or does not hold where it says False, as one would say it."""
    on = [fact for fact, is_positive in literals if is_positive]
    off = [fact for fact, is_positive in literals if not is_positive]
    if not off:
        return either(on)
    if not on and len(off) <= 2:
        return Not(off[0]) if len(off) == 1 else Joined(Connective.EXCLUDES, off[0], off[1])
    if on and len(off) <= 3:
        return implies(both(off), either(on))
    return Counted(Quantity.AT_LEAST_ONE, (*(Not(fact) for fact in off), *on))


def negated(expression: Expression) -> Expression:
    """That `expression` does not hold, without a double negation."""
    return expression.operand if isinstance(expression, Not) else Not(expression)


def read_formula(text: str, resolve: Callable[[str], Expression]) -> tuple[Expression, ...]:
    """What `text` says, one expression for each part that a top-level `&` joins.

    `resolve` tells what a name means. Both raise Unreadable.
    """
    reader = _Reader(text, resolve)
    parts = reader.parts()
    reader.end()
    return parts


class _Reader:
    def __init__(self, text: str, resolve: Callable[[str], Expression]) -> None:
        self._tokens = [_SAME.get(token, token) for token in _TOKEN.findall(text.strip())]
        self._at = 0
        self._resolve = resolve
        self._depth = 0

    def parts(self) -> tuple[Expression, ...]:
        """The formula; a plain conjunction in its parts."""
        begin = self._at
        conjuncts = self._conjuncts()
        if not self._next:
            return tuple(conjuncts)
        self._at = begin
        return (self._formula(),)

    def end(self) -> None:
        if self._next:
            raise UnreadableModelText(f"'{self._next}' is not expected here")

    def _formula(self) -> Expression:
        outside = self._depth
        left = self._implied()
        while self._accept("<=>"):
            self._deeper()
            left = Joined(Connective.IFF, left, self._implied())
        self._depth = outside
        return left

    def _implied(self) -> Expression:
        premise = self._either()
        if not self._accept("=>"):
            return premise
        outside = self._deeper()
        conclusion = self._implied()
        self._depth = outside
        return implies(premise, conclusion)

    def _either(self) -> Expression:
        parts = [both(self._conjuncts())]
        while self._accept("|"):
            parts.append(both(self._conjuncts()))
        literals = [_literal(part) for part in parts]
        return clause([literal for literal in literals if literal]) if all(literals) else either(parts)

    def _conjuncts(self) -> list[Expression]:
        parts = [self._single()]
        while self._accept("&"):
            parts.append(self._single())
        return parts

    def _single(self) -> Expression:
        is_negated = False
        while self._accept("!"):
            is_negated = not is_negated
        if self._accept("("):
            outside = self._deeper()
            inner = self._formula()
            self._depth = outside
            if not self._accept(")"):
                raise UnreadableModelText(f"a ')' is missing before {self._shown}")
        else:
            inner = self._name()
        return negated(inner) if is_negated else inner

    def _name(self) -> Expression:
        token = self._next
        if not token or token in ("|", "&", "=>", "<=>", ")", "<", ">", "="):
            raise UnreadableModelText(f"a name is missing before {self._shown}")
        self._at += 1
        return self._resolve(token[1:-1] if len(token) > 1 and token[0] in "\"'" else token)

    def _deeper(self) -> int:
        outside = self._depth
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnreadableModelText(f"it is nested more than {DEEPEST} deep")
        return outside

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    @property
    def _shown(self) -> str:
        return f"'{self._next}'" if self._next else "the end"

    def _accept(self, token: str) -> bool:
        if self._next != token:
            return False
        self._at += 1
        return True


def _literal(expression: Expression) -> tuple[Fact, bool] | None:
    if isinstance(expression, Fact):
        return expression, True
    if isinstance(expression, Not) and isinstance(expression.operand, Fact):
        return expression.operand, False
    return None
