"""Terms and effects in words."""

from __future__ import annotations

from sonde.core.options import Literal, Term
from sonde.report.history.change_table import in_percent


def where(term: Term, unless: Term = frozenset()) -> str:
    """Which configurations a term means: `where Zpaq is on and level=9`, or `in every configuration`.

    Exceptions come last: `where threads is off, except with Gzip or Lzo`.
    """
    place = f"where {holding(term)}" if term else "in every configuration"
    return place + _exceptions(unless)


def counting(term: Term, unless: Term = frozenset()) -> str:
    """What an influence is one of: `core`, `Zpaq is on`, or with exceptions `all, except with level=9`."""
    return ("all" if unless and not term else holding(term)) + _exceptions(unless)


def holding(term: Term) -> str:
    """What a term says: `Zpaq is on and level=9`, or `core`."""
    return " and ".join(map(_literal, ordered(term))) or "core"


def ordered(term: Term) -> list[Literal]:
    """The literals of a term, by the names of their options."""
    return sorted(term, key=lambda literal: (literal.option, str(literal.value)))


def effect_text(log_ratio: float) -> str:
    """A log ratio as a signed change in percent, or as a factor where that reads better."""
    return in_percent(log_ratio)


def probability_text(probability: float) -> str:
    """A probability with two digits, never as certain as 0 or 1: `.87`, `over .99`."""
    if probability > 0.99:
        return "over .99"
    return "under .01" if probability < 0.01 else f"{probability:.2f}".removeprefix("0")


def _exceptions(unless: Term) -> str:
    exceptions = " or ".join(str(literal) for literal in ordered(unless))
    return f", except with {exceptions}" if exceptions else ""


def _literal(literal: Literal) -> str:
    if isinstance(literal.value, bool):
        return f"{literal.option} is {'on' if literal.value else 'off'}"
    return str(literal)
