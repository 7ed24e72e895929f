"""What is said of a machine that is too noisy for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from sonde.methods.comparison.comparing import Judgement
from sonde.methods.comparison.disturbances import Unrest

OTHERWISE = (
    "end other work (`sonde doctor` tells how quiet it is), or measure instructions, which nothing disturbs."
)


def noise_warning(undecided: Sequence[tuple[Judgement, Unrest]]) -> str:
    """How noisy it is, and what would help: so many pairs, if that is a number that anyone waits for."""
    unrest = reduce(add, (each for _, each in undecided))
    needed = [
        judgement.ratio.pairs_to_decide(judgement.threshold) if judgement.ratio else None
        for judgement, _ in undecided
    ]
    known = [pairs for pairs in needed if pairs is not None]
    more = f"Give --pairs {max(known)}" if len(known) == len(needed) else "Give more pairs with --pairs"
    return f"the machine is noisy: {unrest.in_words}. {more}, {OTHERWISE}"
