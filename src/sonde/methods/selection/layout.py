"""What moved data do to the number of instructions, though no code changed.

String functions of C libraries read many characters at a time, and must not read beyond a page. So they take
more steps near its end, and for long texts a step more or less by how these are aligned. Where texts and
buffers lie changes with any constant that comes or goes before them.

The bound assumes the worst: that each call moves from the best place to the worst. Measured by single steps
through glibc 2.36 (its variants for AVX2 and AVX-512), at places around the end of a page and for lengths of
1 to 2,000, a call of `strcmp` and its kin costs up to 4.7 times as much in addition, any other up to 1.4
times. What copies or fills memory depends on its size, and by 3 % at the most on its place. Whole programs
showed 0.05 times, for few texts lie in such a place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sonde.core.evidence import CostUnit, Profile
from sonde.core.text_functions import NAMELESS, is_comparing, text_function
from sonde.methods.selection.exposure import Exposure

COMPARING_MORE, SEARCHING_MORE = 5.0, 1.5  # of their cost, at the worst
MOST_BY_LAYOUT = 0.001  # of the cost: what counts as a change of instructions


def doubts_of_layout(exposure: Exposure, profile: Profile) -> Iterator[str]:
    """That what a benchmark reads has moved, if it may notice it, in words."""
    reach = exposure.reach
    if reach.unit is not CostUnit.INSTRUCTIONS:
        return
    costs = Counter(profile.text_functions)
    for key, activity in reach.activities.items():
        if name := text_function(key.name):
            costs[name] += activity.own
    if _most_more(costs) > MOST_BY_LAYOUT * reach.total and (moved := _moved(exposure)):
        share, costliest = costs.total() / reach.total, costs.most_common(1)[0][0]
        kind = (
            f"in {costliest} and similar functions" if costliest != NAMELESS else "in string functions, maybe"
        )
        yield (
            f"{moved} moved, and {100 * share:.2g} % of the cost is {kind}, whose cost depends on addresses"
        )


def _most_more(costs: Counter[str]) -> float:
    """By how much these functions may cost more."""
    searching = sum(cost for name, cost in costs.items() if name != NAMELESS and not is_comparing(name))
    return SEARCHING_MORE * searching + COMPARING_MORE * (costs.total() - searching)


def _moved(exposure: Exposure) -> str:
    """What moved of the data that the benchmark may read, in words; empty if nothing did."""
    reach, difference = exposure.reach, exposure.difference
    if reach.activities.keys() & difference.shifted:
        return "strings or data that it reads"
    if objects := reach.objects & difference.shifted_objects:
        return min(objects).name
    return "data without a name" if reach.outputs & difference.shifted_outputs else ""
