"""How long it takes to find out what need not be measured."""

from __future__ import annotations

import time

from sonde.core.events import BuildBegan, BuildEnded, Event
from sonde.core.protocols import Clock, Watcher


class Stopwatch:
    """Hands on what it is told, and stands still while anything is built: measuring needs that as well."""

    def __init__(self, watcher: Watcher, clock: Clock = time.monotonic) -> None:
        self._watcher = watcher
        self._clock = clock
        self._begun = clock()
        self._under_way = 0  # builds
        self._standing_since = 0.0
        self._stood = 0.0  # seconds

    def notice(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, BuildBegan):
            if not self._under_way:
                self._standing_since = self._clock()
            self._under_way += 1
        elif isinstance(event, BuildEnded) and self._under_way:
            self._under_way -= 1
            if not self._under_way:
                self._stood += self._clock() - self._standing_since
        self._watcher.notice(event)

    @property
    def seconds(self) -> float:
        """Since it was made, without builds that have ended."""
        return self._clock() - self._begun - self._stood
