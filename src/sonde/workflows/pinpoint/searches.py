"""From the words of a user to a search for change points."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sonde.core.errors import UsageError
from sonde.methods.pinpointing.search import Search

SHARED_STEPS, PAPER = "shared-steps", "paper"
DEFAULT = SHARED_STEPS

Searches = Mapping[str, Callable[[], Search]]


def _shared_steps() -> Search:
    from sonde.methods.pinpointing.shared_steps.search import SharedSteps

    return SharedSteps()


def _paper() -> Search:
    from sonde.methods.pinpointing.likelihoods.search import Likelihoods

    return Likelihoods()


SEARCHES: Searches = {SHARED_STEPS: _shared_steps, PAPER: _paper}

ROAMING = frozenset({PAPER})  # ask a recording for configurations that it lacks: section 4.2.2 of the paper


def search_named(name: str, searches: Searches = SEARCHES) -> Search:
    """The search of that name; an error that lists them if there is none."""
    if name not in searches:
        raise UsageError(f"there is no planner '{name}'. Known ones: {', '.join(searches)}.")
    return searches[name]()
