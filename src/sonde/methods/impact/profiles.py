"""Hot code as profiles tell it (the paper's section 4.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sonde.core.evidence import Place, Profile
from sonde.core.impacts import HotRoutine
from sonde.core.symbol_names import canonical_name

_COMPREHENSION = re.compile(r"(\.<locals>)?\.?<(listcomp|setcomp|dictcomp)>.*$")
LEAST_SHARE = 0.05  # of the cost of a run, in the function itself and in the libraries that it calls


def hot_routines(
    profiles: Iterable[tuple[str, Profile]], least_share: float = LEAST_SHARE
) -> tuple[HotRoutine, ...]:
    """The functions with at least such a share in some profile, the hottest first; each profile has a label.

    What libraries do counts for the functions that call them: who copies by `memcpy` works there, too. If no
    function has it, the one with the largest share is hot, so that there is something to ask about.
    """
    return tuple(each for each, _ in _hottest(profiles, _name, least_share))


def hot_python_routines(
    profiles: Iterable[tuple[str, Profile]], least_share: float = LEAST_SHARE
) -> tuple[tuple[HotRoutine, str], ...]:
    """The same for Python, each with its file; a comprehension is part of the function that it stands in."""
    return _hottest(profiles, _python_name, least_share)


def _name(place: Place) -> tuple[str, str]:
    return canonical_name(place.name).partition(".")[0] or place.name, ""


def _python_name(place: Place) -> tuple[str, str]:
    name = _COMPREHENSION.sub("", place.name)
    return name or "<module>", place.output


def _hottest(
    profiles: Iterable[tuple[str, Profile]],
    name_of: Callable[[Place], tuple[str, str]],
    least_share: float,
) -> tuple[tuple[HotRoutine, str], ...]:
    """Those with at least such a share, the hottest first, with the files that their places name."""
    largest: dict[tuple[str, str], HotRoutine] = {}
    for label, profile in profiles:
        total = profile.total or 1
        own: dict[tuple[str, str], int] = {}
        for place, activity in profile.activities.items():
            key = name_of(place)
            own[key] = own.get(key, 0) + activity.own + activity.elsewhere
        for key, cost in own.items():
            share = cost / total
            if key not in largest or share > (largest[key].share or 0):
                largest[key] = HotRoutine(key[0], share, label)
    ranked = sorted(largest.items(), key=lambda each: (-(each[1].share or 0), each[0]))
    hot = tuple((each, file) for (_, file), each in ranked if (each.share or 0) >= least_share)
    return hot or tuple((each, file) for (_, file), each in ranked[:1])
