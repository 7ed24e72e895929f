"""What a build costs beside a run, learnt as it goes."""

from __future__ import annotations

from collections.abc import Collection
from statistics import mean

from sonde.core.results import Cost

USUAL = 10.0  # runs, until both have been seen
LEAST, MOST = 0.1, 1000.0


def build_cost(costs: Collection[Cost]) -> float:
    """The cost of a build in runs, from what results have cost.

    A result bears the cost of its build and of its run together; those whose build was there tell what a run
    costs alone.
    """
    alone = [cost.seconds / cost.runs for cost in costs if cost.runs and not cost.builds and cost.seconds > 0]
    if not alone:
        return USUAL
    run = mean(alone)
    builds = [(cost.seconds - cost.runs * run) / cost.builds for cost in costs if cost.builds]
    return min(MOST, max(LEAST, mean(builds) / run)) if builds else USUAL
