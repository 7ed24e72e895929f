"""What a user may have meant by a name that does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that looks most like `name`, or nothing if none does."""
    names = list(dict.fromkeys(known))
    by_lower_case = {candidate.lower(): candidate for candidate in reversed(names)}
    matches = get_close_matches(name.lower(), by_lower_case, n=1)
    return by_lower_case[matches[0]] if matches else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The question that follows an unknown name, with a space before it; empty if nothing looks like it."""
    match = nearest(name, known)
    return f" Did you mean '{match}'?" if match else ""
