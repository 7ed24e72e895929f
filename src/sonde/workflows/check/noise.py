"""What is said of a machine that is too noisy for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from sonde.methods.comparison.comparing import Judgement
from sonde.methods.comparison.disturbances import Unrest

OTHERWISE = (
    "stop other work on this machine (`sonde doctor` measures its noise), or measure "
    "instructions, which noise does not affect."
)


def noise_warning(undecided: Sequence[tuple[Judgement, Unrest]]) -> str:
    """How noisy it is, and what would help: so many pairs, if that is a number that anyone waits for."""
    unrest = reduce(add, (each for _, each in undecided))
    needed = [
        judgement.ratio.pairs_to_decide(judgement.threshold) if judgement.ratio else None
        for judgement, _ in undecided
    ]
    known = [pairs for pairs in needed if pairs is not None]
    more = f"Use --pairs {max(known)}" if len(known) == len(needed) else "Use more pairs (--pairs)"
    return f"the machine is noisy: {unrest.in_words}. {more}, {OTHERWISE}"
