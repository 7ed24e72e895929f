"""Names that a program uses once."""

from __future__ import annotations

import random
from collections import Counter

FUNCTIONS = [
    "fold",
    "mix",
    "scan",
    "merge",
    "rank",
    "pack",
    "weigh",
    "trace",
    "sift",
    "blend",
    "probe",
    "encode",
    "score",
    "measure",
    "collect",
    "reduce",
    "update",
    "expand",
    "shift",
    "rotate",
    "gather",
    "split",
    "match",
    "index",
    "search",
    "patch",
    "sweep",
    "count",
    "group",
    "map",
]
VALUES = [
    "sum",
    "total",
    "seed",
    "state",
    "value",
    "key",
    "code",
    "mark",
    "size",
    "span",
    "width",
    "part",
    "item",
    "rest",
    "step",
    "level",
]
DATA = [
    "buffer",
    "cells",
    "rows",
    "slots",
    "keys",
    "marks",
    "ring",
    "window",
    "pool",
    "lines",
    "costs",
    "weights",
    "table",
    "grid",
]


class Names:
    """Gives each name once; the same word comes back with a number."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._taken: Counter[str] = Counter()

    def function(self) -> str:
        """The name of a function: a verb and a noun."""
        return self.fresh(f"{self._rng.choice(FUNCTIONS)}_{self._rng.choice(DATA)}")

    def value(self) -> str:
        """The name of a number."""
        return self.fresh(self._rng.choice(VALUES))

    def data(self) -> str:
        """The name of an array or a table."""
        return self.fresh(self._rng.choice(DATA))

    def fresh(self, word: str) -> str:
        """This word, or with a number if it was given before."""
        self._taken[word] += 1
        return word if self._taken[word] == 1 else f"{word}{self._taken[word]}"
