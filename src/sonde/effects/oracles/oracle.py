"""What an oracle is, and a run of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from numbers import Real
from operator import index
from random import Random
from typing import SupportsIndex

from sonde.core.errors import UsageError
from sonde.core.options import Configuration, Option, OptionName
from sonde.core.results import Failed, Stage

LONGEST_TEXT = 200  # letters of foreign messages and values that a message repeats

WHAT_IT_NEEDS = (
    "An oracle has `options` (names), `revisions` (how many, or their numbers) "
    "and `value(revision, selected, rng)`."
)


@dataclass(frozen=True)
class Oracle:
    """Tells the value of any revision and configuration; each call is a run."""

    name: str
    options: tuple[Option, ...]  # on or off
    revisions: tuple[int, ...]  # their numbers, in order
    value: Callable[[int, frozenset[OptionName], Random], object]  # of the user, so it may do anything

    def run(self, revision: int, configuration: Configuration, rng: Random) -> float | Failed:
        """One run; whatever is not a positive number is a failure."""
        selected = frozenset(option for option, is_on in configuration.values if is_on)
        try:
            with redirect_stdout(sys.stderr):  # stdout is for our answer
                value = self.value(revision, selected, rng)
                number = _number(value)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - code of the user
            return Failed(Stage.RUN, f"The oracle raised {told(error)}.", output=str(error))
        if number is None:
            return Failed(Stage.RUN, f"The oracle returned {shortened(repr(value))}, which is not a number.")
        if not isfinite(number) or number <= 0:
            return Failed(Stage.RUN, f"The oracle returned {number}, which is not positive and finite.")
        return number


def checked_oracle(name: str, found: object) -> Oracle:
    """The oracle that an object of the user is; raises UsageError if it is none."""
    lacking = [part for part in ("options", "revisions", "value") if not hasattr(found, part)]
    if lacking:
        raise UsageError(f"{name}: the oracle has no {' and no '.join(map(repr, lacking))}. {WHAT_IT_NEEDS}")
    value = getattr(found, "value")  # noqa: B009 - mypy knows nothing of what users write
    if not callable(value):
        raise UsageError(f"{name}: 'value' of the oracle cannot be called. {WHAT_IT_NEEDS}")
    names = _names(name, getattr(found, "options"))  # noqa: B009
    options = tuple(Option(option, (False, True), False) for option in names)
    return Oracle(name, options, _revisions(name, getattr(found, "revisions")), value)  # noqa: B009


def told(error: BaseException) -> str:
    """An exception of the user's code on one line."""
    text = " ".join(str(error).split())
    return shortened(f"{type(error).__name__}: {text}" if text else type(error).__name__).rstrip(".")


def shortened(text: str) -> str:
    """A text that is not too long for a message."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}..."


def _number(value: object) -> float | None:
    """A number of whichever package, or None if it is no number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return float(value)


def _names(name: str, found: object) -> tuple[OptionName, ...]:
    names = tuple(found) if isinstance(found, Iterable) and not isinstance(found, str) else ()
    if not names or not all(isinstance(each, str) and each for each in names):
        shown = shortened(repr(found))
        raise UsageError(f"{name}: 'options' of the oracle is {shown}. Make it a list of one name or more.")
    twice = next((each for at, each in enumerate(names) if each in names[:at]), None)
    if twice is not None:
        raise UsageError(f"{name}: the oracle has the option '{twice}' twice. Rename or remove one.")
    return names


def _revisions(name: str, found: object) -> tuple[int, ...]:
    """The numbers of the revisions; where there is but their count, from 0 on."""
    try:
        numbers = tuple(map(index, found)) if isinstance(found, Iterable) else tuple(range(_count(found)))
    except TypeError:
        numbers = ()
    if not numbers or any(one >= other for one, other in pairwise(numbers)):
        raise UsageError(
            f"{name}: 'revisions' of the oracle is {shortened(repr(found))}. "
            "Make it their count, at least 1, or their numbers in increasing order."
        )
    return numbers


def _count(found: object) -> int:
    if isinstance(found, bool) or not isinstance(found, SupportsIndex):
        raise TypeError(f"{found!r} is not a count")
    return index(found)
