"""The options of a program: what users write, and which numbers the program keeps for it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from math import prod

MOST_CONFIGURATIONS = 24
_SWITCHES = [
    "fast",
    "deep",
    "strict",
    "wide",
    "check",
    "reverse",
    "unique",
    "fold",
    "verbose",
    "cache",
    "sparse",
    "raw",
    "trim",
    "exact",
]
_LEVELS = ["level", "depth", "rounds", "quality", "block", "window"]
_MODES = ["mode", "format", "method", "kind", "order"]
_WORDS = ["plain", "rle", "huff", "delta", "lz", "tree", "flat", "hash", "byte", "line"]
_NUMBERS = ((1, 4), (2, 8), (1, 5, 9), (2, 6), (4, 16), (3, 7, 12), (8, 32), (1, 2))


class Kind(Enum):
    """What can be chosen."""

    SWITCH = "on or off"
    MODE = "one of several words"
    LEVEL = "a number"


@dataclass(frozen=True)
class Knob:
    """An option without its words, which the way of reading the command line decides."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()  # of a mode; the first is the default
    levels: tuple[int, ...] = ()
    default: int = 0

    @property
    def letter(self) -> str:
        """Its letter on a command line; no two options of a program share it."""
        return self.name[0] if self.kind is Kind.SWITCH else self.name[0].upper()

    @property
    def highest(self) -> int:
        """The largest number that the program keeps for it."""
        if self.kind is Kind.LEVEL:
            return max(self.levels)
        return len(self.words) - 1 if self.kind is Kind.MODE else 1

    @property
    def values(self) -> int:
        """How many values it has."""
        return len(self.levels) or len(self.words) or 2


@dataclass(frozen=True)
class Knobs:
    """The options of a program, and what users may not combine."""

    knobs: tuple[Knob, ...]
    constraints: tuple[str, ...]


def draw_knobs(rng: random.Random, most: int = MOST_CONFIGURATIONS) -> Knobs:
    """Three to six options with at most `most` valid configurations."""
    wanted = rng.choice((3, 3, 4, 4, 5, 6))
    while True:
        knobs = tuple(_distinct(_some(rng, wanted)))
        if len(knobs) < wanted:
            continue
        for constraints, configurations in _constrained(rng, knobs):
            if configurations <= most:
                return Knobs(knobs, constraints)


def _some(rng: random.Random, wanted: int) -> Iterator[Knob]:
    for _ in range(wanted):
        kind = rng.choices((Kind.SWITCH, Kind.MODE, Kind.LEVEL), (6, 1.5, 2.5))[0]
        if kind is Kind.SWITCH:
            yield Knob(rng.choice(_SWITCHES), kind)
        elif kind is Kind.MODE:
            yield Knob(rng.choice(_MODES), kind, words=tuple(rng.sample(_WORDS, rng.choice((2, 3, 3)))))
        else:
            levels = rng.choice(_NUMBERS)
            yield Knob(rng.choice(_LEVELS), kind, levels=levels, default=rng.choice(levels))


def _distinct(knobs: Iterator[Knob]) -> Iterator[Knob]:
    names: set[str] = set()
    letters: set[str] = set()
    for each in knobs:
        if each.name not in names and each.letter not in letters:
            names.add(each.name)
            letters.add(each.letter)
            yield each


def _constrained(rng: random.Random, knobs: Sequence[Knob]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Constraints, and how many configurations they leave; stronger and stronger ones."""
    every = prod(each.values for each in knobs)
    switches = [each for each in knobs if each.kind is Kind.SWITCH]
    rng.shuffle(switches)
    others = every // 2 ** len(switches)
    if rng.random() < 0.85:
        yield (), every
    for number in range(2, len(switches) + 1):
        few = switches[:number]
        left = others * 2 ** (len(switches) - number)
        if number == 2 and rng.random() < 0.5:
            yield (f"{few[0].name} implies {few[1].name}",), 3 * left
        names = ", ".join(each.name for each in few)
        exclusive: tuple[str, ...] = (f"at most one of {names}",)
        if number == 2:
            exclusive = tuple(f"{one.name} excludes {other.name}" for one, other in combinations(few, 2))
        yield exclusive, (number + 1) * left
