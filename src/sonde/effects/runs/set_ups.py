"""Set-ups of runs: what no run is meant to depend on, and many depend on all the same.

The length of a path, the size of the environment and the seed of hashes move a program's stack and heap, and
so decide what shares a cache line or when an allocator asks for memory. Between two revisions that do the
same work, times that are measured under one set-up may differ by more than most regressions (T. Mytkowicz et
al.: Producing wrong data without doing anything obviously wrong! ASPLOS 2009). So set-ups are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sonde.core.results import Metric

LONGEST_NAME = 48  # letters
MOST_VARIABLES = 48
LONGEST_VALUE = 200  # letters; all of them together shift a stack by up to two pages
SEEDS = 2**32  # of hashes; what Python and Perl take


@dataclass(frozen=True)
class SetUp:
    """The circumstances of a run."""

    folder: str = ""  # a folder more in the paths of build and scratch; empty: none
    variables: tuple[tuple[str, str], ...] = ()
    has_random_addresses: bool = False


USUAL = SetUp()


def draw_set_up(metric: Metric, seed: str) -> SetUp:
    """The same for the same seed. Counts hardly depend on it, and repeat exactly if it is the usual one."""
    if metric is Metric.INSTRUCTIONS:
        return USUAL
    rng = Random(f"set-up {seed}")
    fillers = (
        (f"SONDE_FILLER_{number:02}", "x" * rng.randrange(LONGEST_VALUE + 1))
        for number in range(rng.randrange(MOST_VARIABLES + 1))
    )
    seeds = ((name, str(rng.randrange(SEEDS))) for name in ("PYTHONHASHSEED", "PERL_HASH_SEED"))
    return SetUp("x" * rng.randrange(1, LONGEST_NAME + 1), (*seeds, *fillers), has_random_addresses=True)
