"""Reads constraints, such as `filter implies not checksum` or `at most one of a, b, level >= 5`.

constraint = side [("implies" | "requires" | "excludes" | "iff") side]
side       = ("exactly" | "at most" | "at least") "one of" unary {"," unary} | either
either     = both {"or" both}
both       = unary {"and" unary}
unary      = ("not" | "!") unary | "(" constraint ")" | fact
fact       = NAME [("=" | "!=" | "<" | "<=" | ">" | ">=") value]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from sonde.core.options import Option
from sonde.space.expressions import (
    NAME,
    Comparator,
    Connective,
    Counted,
    Expression,
    Fact,
    Joined,
    Not,
    Quantity,
)
from sonde.space.facts import NotAFact, Suggestions, read_fact
from sonde.space.nearest import did_you_mean
from sonde.space.tokens import ConstraintError, Token, tokenize

_ONCE = {
    word.value: word
    for word in (Connective.IMPLIES, Connective.REQUIRES, Connective.EXCLUDES, Connective.IFF)
}
_RELATIONS = {relation.value: relation for relation in Comparator}
_QUANTITIES = {tuple(quantity.value.split()): quantity for quantity in Quantity}

MOST_WORDS = 8_000  # an `or` of thousands of options still fits
DEEPEST = 100  # parentheses and negations within each other

RESERVED = frozenset([*(connective.value for connective in Connective), "not"])


def parse(constraint: str, options: Iterable[Option]) -> Expression:
    """The expression that `constraint` writes; raises a ConstraintError with the column of the mistake."""
    reader = _Reader(constraint, options)
    try:
        expression = reader.constraint()
    except RecursionError:  # it depends on who calls how much of the stack is left
        reader.fail("this is nested too deeply. Write several constraints instead.")
    reader.end()
    return expression


class _Reader:
    """Recursive descent over the tokens of one constraint."""

    def __init__(self, constraint: str, options: Iterable[Option]) -> None:
        self._text = constraint
        self._options = {option.name: option for option in options}
        self._tokens = tokenize(constraint)
        self._at = 0
        self._depth = 0
        if len(self._tokens) > MOST_WORDS:
            self.fail(f"this has more than {MOST_WORDS:,} words. Write several constraints instead.")

    def constraint(self) -> Expression:
        left = self._side()
        connective = _ONCE.get(self._word)
        if connective is None:
            return left
        self._at += 1
        right = self._side()
        if self._word in _ONCE:
            self.fail(f"a second '{self._word}' is ambiguous: put parentheses around what belongs together.")
        return Joined(connective, left, right)

    def end(self) -> None:
        if self._next.text or self._next.quoted:
            expected = "'and', 'or', 'implies', 'requires', 'excludes', 'iff' or the end"
            hint = did_you_mean(self._next.text, RESERVED)
            self.fail(f"expected {expected}, found {self._next.shown}.{hint}")

    def _side(self) -> Expression:
        quantity = self._quantity()
        if quantity is None:
            return self._either()
        operands = [self._unary()]
        while self._accept(","):
            operands.append(self._unary())
        if self._word in ("and", "or"):
            self.fail(
                f"expected ',' or the end of the list, found '{self._word}': "
                f"put '{quantity.value} ...' in parentheses to join it with '{self._word}'."
            )
        return Counted(quantity, tuple(operands))

    def _either(self) -> Expression:
        left = self._both()
        while self._accept("or"):
            left = Joined(Connective.OR, left, self._both())
        return left

    def _both(self) -> Expression:
        left = self._unary()
        while self._accept("and"):
            left = Joined(Connective.AND, left, self._unary())
        return left

    def _unary(self) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            self.fail(f"this is nested more than {DEEPEST} levels deep. Write several constraints instead.")
        expression = self._simple()
        self._depth -= 1
        return expression

    def _simple(self) -> Expression:
        if self._accept("not") or self._accept("!"):
            return Not(self._unary())
        opening = self._next
        if self._accept("("):
            inner = self.constraint()
            if not self._accept(")"):
                self.fail(f"expected ')' for the '(' in column {opening.column}, found {self._next.shown}.")
            return inner
        return self._fact()

    def _fact(self) -> Expression:
        name = self._next
        if name.quoted or name.text in RESERVED or not NAME.fullmatch(name.text):
            self.fail(f"expected the name of an option, 'not' or '(', found {name.shown}.")
        if self._at_quantity():
            self.fail("put parentheses around this list to join it with other parts.")
        if name.text not in self._options:
            message = Suggestions(tuple(self._options.values())).for_unknown(name.text)
            raise ConstraintError(self._text, name.column, message, unknown=name.text)
        self._at += 1
        option = self._options[name.text]
        relation = _RELATIONS.get(self._word)
        try:
            if relation is None:
                return read_fact(option, None, "")
            self._at += 1
            value = self._next
            if not value.quoted and (not value.text or value.text in _RELATIONS or value.text in "!(),"):
                self.fail(f"expected a value after '{relation.value}', found {value.shown}.")
            fact: Fact = read_fact(option, relation, value.text)
        except NotAFact as mistake:
            wrong = self._next if relation and mistake.in_value else name
            raise ConstraintError(self._text, wrong.column, str(mistake)) from None
        self._at += 1
        return fact

    def _quantity(self) -> Quantity | None:
        quantity = self._at_quantity()
        if quantity is not None:
            self._at += len(quantity.value.split())
        return quantity

    def _at_quantity(self) -> Quantity | None:
        for words, quantity in _QUANTITIES.items():
            if tuple(token.text for token in self._tokens[self._at : self._at + len(words)]) == words:
                return quantity
        return None

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    @property
    def _word(self) -> str:
        return "" if self._next.quoted else self._next.text

    def _accept(self, word: str) -> bool:
        if self._word != word:
            return False
        self._at += 1
        return True

    def fail(self, message: str) -> NoReturn:
        """Raise a ConstraintError at the next word."""
        raise ConstraintError(self._text, self._next.column, message)
