"""Hot code as profiles tell it (the paper's section 4.3)."""

from __future__ import annotations

from collections.abc import Iterable

from sonde.core.evidence import Profile
from sonde.core.impacts import HotRoutine
from sonde.core.symbol_names import canonical_name

LEAST_SHARE = 0.05  # of the cost of a run, in the function itself and in the libraries that it calls


def hot_routines(
    profiles: Iterable[tuple[str, Profile]], least_share: float = LEAST_SHARE
) -> tuple[HotRoutine, ...]:
    """The functions with at least such a share in some profile, the hottest first; each profile has a label.

    What libraries do counts for the functions that call them: who copies by `memcpy` works there, too. If no
    function has it, the one with the largest share is hot, so that there is something to ask about.
    """
    largest: dict[str, HotRoutine] = {}
    for label, profile in profiles:
        total = profile.total or 1
        own: dict[str, int] = {}
        for place, activity in profile.activities.items():
            name = canonical_name(place.name).partition(".")[0] or place.name
            own[name] = own.get(name, 0) + activity.own + activity.elsewhere
        for name, cost in own.items():
            share = cost / total
            if name not in largest or share > (largest[name].share or 0):
                largest[name] = HotRoutine(name, share, label)
    ranked = sorted(largest.values(), key=lambda each: (-(each.share or 0), each.name))
    hot = tuple(each for each in ranked if (each.share or 0) >= least_share)
    return hot or tuple(ranked[:1])
