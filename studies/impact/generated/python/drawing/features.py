"""What steers work: a switch, a word or a number, as code sees it, and questions about it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from studies.impact.generated.knobs import Kind


@dataclass(frozen=True)
class Import:
    """`from module import name`; the module is one of the program's own."""

    module: str
    name: str  # empty: the module itself


@dataclass(frozen=True)
class Feature:
    """A value that the program keeps, as an expression."""

    read: str
    kind: Kind
    words: tuple[str, ...] = ()  # of a mode
    highest: int = 1
    carrier: str = ""  # a variable that has to be handed over to read it; empty: none
    needs: Import | None = None


def about(rng: random.Random, feature: Feature) -> str:
    """A condition that depends on a feature."""
    if feature.kind is Kind.SWITCH:
        return feature.read
    if feature.kind is Kind.MODE:
        word = rng.choice(feature.words)
        return f"{feature.read} {rng.choice(('==', '!='))} {word!r}"
    return f"{feature.read} {rng.choice(('>', '>=', '<'))} {rng.randint(1, feature.highest)}"


def number(rng: random.Random, feature: Feature, low: int, high: int) -> str:
    """A number between two bounds, if it is kept as the program begins."""
    if feature.kind is Kind.SWITCH:
        return f"({high} if {feature.read} else {low})"
    if feature.kind is Kind.MODE:
        values = [rng.randint(low, high) for _ in feature.words]
        table = ", ".join(f"{word!r}: {value}" for word, value in zip(feature.words, values, strict=True))
        return f"{{{table}}}[{feature.read}]"
    step = max(1, (high - low) // feature.highest)
    return f"({low} + {step} * {feature.read})"
