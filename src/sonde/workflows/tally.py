"""Counts what is built and profiled while others watch."""

from __future__ import annotations

import time

from sonde.core.events import BuildEnded, Event, ProfileEnded
from sonde.core.protocols import Clock, Watcher
from sonde.core.results import Cost


class Tally:
    """Hands on what it is told, and adds up what it took."""

    def __init__(self, watcher: Watcher, clock: Clock = time.monotonic) -> None:
        self._watcher = watcher
        self._clock = clock
        self._begun = clock()
        self._builds = self._runs = 0

    def notice(self, event: Event) -> None:
        """Take note of an event."""
        self._builds += isinstance(event, BuildEnded)
        self._runs += isinstance(event, ProfileEnded)
        self._watcher.notice(event)

    @property
    def cost(self) -> Cost:
        """What was done so far, and how long it took."""
        return Cost(runs=self._runs, builds=self._builds, seconds=self._clock() - self._begun)
