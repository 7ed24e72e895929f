"""Hot code as profiles show it (the paper's section 4.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sonde.core.evidence import Profile, ProfiledFunction
from sonde.core.findings.impacts import HotRoutine
from sonde.core.symbol_names import canonical_name
from sonde.methods.impact.hot.line_costs import LineCosts
from sonde.methods.impact.hot.line_owners import LineOwners

_COMPREHENSION = re.compile(r"(\.<locals>)?\.?<(listcomp|setcomp|dictcomp)>.*$")
LEAST_SHARE = 0.05  # of the cost of a run, in the function itself and in the libraries that it calls
# The smallest change of instructions that `sonde check` reports: a function with less has to double for that.
WARM_SHARE = 0.01

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True)
class HotSources:
    """Functions of the source that are hot, the hottest first."""

    routines: tuple[HotRoutine, ...]
    lineless: tuple[HotRoutine, ...]  # machine functions whose hot code belongs to no line: it may be inlined


@dataclass(frozen=True)
class FunctionCosts:
    """What each function costs in a run, with the libraries that it calls."""

    total: int  # of everything that ran
    sources: Mapping[str, int]  # of functions of the source
    lineless: Mapping[str, int]  # of machine functions: what belongs to no line

    def share(self, names: Collection[str]) -> float:
        """The share of some functions of the source in the cost of the run."""
        return sum(self.sources.get(name, 0) for name in names) / (self.total or 1)


def cost_sources(profile: LineCosts, owners: LineOwners) -> FunctionCosts:
    """The costs of functions: a line counts for the function in whose source it stands."""
    sources: defaultdict[str, int] = defaultdict(int)
    lineless: defaultdict[str, int] = defaultdict(int)
    for line, cost in profile.lines.items():
        for name in dict.fromkeys(routine.name for routine in owners.owners(line)):
            sources[name] += cost
    for function, cost in profile.machine.items():
        lineless[_machine_name(function)] += cost
    return FunctionCosts(profile.total, sources, lineless)


def hot_sources(
    profiles: Iterable[tuple[str, FunctionCosts]], least_share: float = LEAST_SHARE
) -> HotSources:
    """The functions with at least such a share in some profile; each profile has a label.

    What libraries do counts for the functions that call them: who copies by `memcpy` works there, too. If no
    function has it, the one with the largest share is hot, so that there is something to ask about.
    """
    costs = [
        (
            label,
            profile.total,
            {
                **{(name, True): cost for name, cost in profile.sources.items()},
                **{(name, False): cost for name, cost in profile.lineless.items()},
            },
        )
        for label, profile in profiles
    ]
    hot = _hottest(costs, least_share)
    return HotSources(
        tuple(HotRoutine(name, share, label) for (name, has_lines), share, label in hot if has_lines),
        tuple(HotRoutine(name, share, label) for (name, has_lines), share, label in hot if not has_lines),
    )


def cost_python_functions(profile: Profile) -> FunctionCosts:
    """The same for Python; a comprehension is part of the function that it stands in."""
    sources: defaultdict[str, int] = defaultdict(int)
    for place, activity in profile.activities.items():
        sources[python_function(place)] += activity.own + activity.elsewhere
    return FunctionCosts(profile.total, sources, {})


def hot_python_routines(
    profiles: Iterable[tuple[str, Profile]], least_share: float = LEAST_SHARE
) -> tuple[tuple[HotRoutine, str], ...]:
    """The same for Python, each with its file; a comprehension is part of the function that it stands in."""
    costs: list[tuple[str, int, dict[tuple[str, str], int]]] = []
    for label, profile in profiles:
        own: defaultdict[tuple[str, str], int] = defaultdict(int)
        for place, activity in profile.activities.items():
            own[python_function(place), place.output] += activity.own + activity.elsewhere
        costs.append((label, profile.total, own))
    hot = _hottest(costs, least_share)
    return tuple((HotRoutine(name, share, label), file) for (name, file), share, label in hot)


def python_function(place: ProfiledFunction) -> str:
    """The function that code of Python stands in."""
    return _COMPREHENSION.sub("", place.name) or "<module>"


def _machine_name(place: ProfiledFunction) -> str:
    """The function that a compiler made a machine function of: `sum` for `sum.part.0`."""
    return canonical_name(place.name).partition(".")[0] or place.name


def _hottest(
    costs: Iterable[tuple[str, int, Mapping[N, int]]], least_share: float
) -> tuple[tuple[N, float, str], ...]:
    """What has at least such a share of some total, the largest share first, with it and the label there."""
    largest: dict[N, tuple[float, str]] = {}
    for label, total, own in costs:
        for name, cost in own.items():
            share = cost / (total or 1)
            if name not in largest or share > largest[name][0]:
                largest[name] = share, label
    ranked = sorted(largest.items(), key=lambda each: (-each[1][0], str(each[0])))
    hot = tuple((name, *rest) for name, rest in ranked if rest[0] >= least_share)
    return hot or tuple((name, *rest) for name, rest in ranked[:1])
