"""Draws a way of reading options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sonde.core.options import Option
from studies.impact.generated.knobs import Kind
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.homes import Home, Style, beginnings
from studies.impact.generated.python.drawing.reading.by_hand import (
    by_comparisons,
    by_environment,
    by_getopt,
    by_membership,
    by_words,
)
from studies.impact.generated.python.drawing.reading.parsers import by_argparse, by_optparse
from studies.impact.generated.python.drawing.reading.spelling import Spelled, option_of

TOLD = 0.7  # the share of programs whose project file says where options are kept
_WAYS: tuple[tuple[Callable[[Draft, Sequence[Spelled]], list[str]], float], ...] = (
    (by_argparse, 5),
    (by_optparse, 1),
    (by_comparisons, 2),
    (by_membership, 1),
    (by_words, 1),
    (by_getopt, 1),
)


@dataclass(frozen=True)
class Reading:
    """Statements at the beginning of main, and the options as users write them."""

    statements: tuple[str, ...]
    options: tuple[Option, ...]


def draw_reading(draft: Draft, homes: Sequence[Home]) -> Reading:
    """All options of a program in one idiom, some perhaps from the environment."""
    rng = draft.rng
    way = rng.choices([each for each, _ in _WAYS], [weight for _, weight in _WAYS])[0]
    can_be_outside = rng.random() < 0.3
    spelled = []
    for home in homes:
        if can_be_outside and home.style is not Style.ARGUMENTS and rng.random() < 0.4:
            spelled.append(Spelled(home, "", variable=f"APP_{home.knob.name.upper()}"))
        else:
            spelled.append(_flag(rng.random(), home, way is by_argparse))
    words = [each for each in spelled if not each.variable]
    outside = [each for each in spelled if each.variable]
    statements = [*beginnings(homes)]
    if words:
        statements += way(draft, words)
    statements += by_environment(draft, outside)
    is_told = rng.random() < TOLD
    return Reading(tuple(statements), tuple(option_of(each, is_told) for each in spelled))


def _flag(chance: float, home: Home, may_be_short: bool) -> Spelled:
    if may_be_short and chance < 0.25:
        joint = "" if home.knob.kind is Kind.SWITCH else " "
        return Spelled(home, f"-{home.knob.letter}", joint)
    return Spelled(home, f"--{home.knob.name}")
