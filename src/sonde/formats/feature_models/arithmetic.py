"""Sums and products as SPLConqueror writes them: `level * 2 + log10(threads)`.

sum     = product {("+" | "-") product}
product = factor {("*" | "/") factor}
factor  = "-" factor | NUMBER | NAME | "(" sum ")" | "log10(" sum ")" | "[" sum "]"
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sonde.formats.feature_models.errors import UnreadableModelText

DEEPEST = 60

_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN = re.compile(rf"\s*({_NUMBER.pattern}(?![\w.])|[^\W\d][\w.$#]*|.)", re.DOTALL)
_CLOSING = {"(": ")", "[": "]"}

Evaluate = Callable[[Mapping[str, float]], float]


@dataclass(frozen=True)
class Sum:
    """An expression over numbers, and the names in it in the order of their first appearance.

    A division by zero or the logarithm of what has none is not a number, so that no comparison with it holds.
    """

    names: tuple[str, ...]
    value: Evaluate


def read_sum(text: str) -> Sum:
    """The expression that `text` writes; raises Unreadable."""
    reader = _Reader(text)
    value = reader.sum()
    reader.end()
    return Sum(tuple(dict.fromkeys(reader.names)), value)


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens: list[str] = _TOKEN.findall(text.strip())
        self._at = 0
        self._depth = 0
        self.names: list[str] = []

    def end(self) -> None:
        if self._next:
            raise UnreadableModelText(f"'{self._next}' is not expected here")

    def sum(self) -> Evaluate:
        terms = [(1.0, self._product())]
        while self._next in ("+", "-"):
            sign = 1.0 if self._take() == "+" else -1.0
            terms.append((sign, self._product()))
        if len(terms) == 1:
            return terms[0][1]
        return lambda values: sum(sign * term(values) for sign, term in terms)

    def _product(self) -> Evaluate:
        factors = [(True, self._factor())]
        while self._next in ("*", "/"):
            is_multiplied = self._take() == "*"
            factors.append((is_multiplied, self._factor()))
        return factors[0][1] if len(factors) == 1 else lambda values: _multiplied(factors, values)

    def _factor(self) -> Evaluate:
        sign = 1.0
        while self._next == "-":
            self._take()
            sign = -sign
        inner = self._positive()
        return inner if sign > 0 else lambda values: -inner(values)

    def _positive(self) -> Evaluate:
        token = self._take()
        if token == "log10" and self._next == "(":
            return _logarithm(self._enclosed(self._take()))
        if token == "[":
            return _logarithm(self._enclosed(token))
        if token == "(":
            return self._enclosed(token)
        if _NUMBER.fullmatch(token):
            number = float(token)
            return lambda values: number
        if re.match(r"[^\W\d]", token):
            self.names.append(token)
            return lambda values: values[token]
        raise UnreadableModelText(
            f"a number or a name is missing before {repr(token) if token else 'the end'}"
        )

    def _enclosed(self, opening: str) -> Evaluate:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnreadableModelText(f"it is nested more than {DEEPEST} deep")
        inner = self.sum()
        self._depth -= 1
        if self._take() != _CLOSING[opening]:
            raise UnreadableModelText(f"a '{_CLOSING[opening]}' is missing")
        return inner

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token


def _multiplied(factors: list[tuple[bool, Evaluate]], values: Mapping[str, float]) -> float:
    product = 1.0
    for is_multiplied, factor in factors:
        value = factor(values)
        if is_multiplied:
            product *= value
        else:
            product = product / value if value else math.nan
    return product


def _logarithm(inner: Evaluate) -> Evaluate:
    def value(values: Mapping[str, float]) -> float:
        number = inner(values)
        return math.log10(number) if number > 0 else math.nan

    return value
