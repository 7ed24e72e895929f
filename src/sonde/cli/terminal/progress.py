"""Live progress on stderr: what runs, how far it is, what it cost, how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console

from sonde.campaign.estimates import pace_after
from sonde.core.events import (
    BuildBegan,
    BuildEnded,
    Event,
    Limited,
    Noted,
    Planned,
    ProfileBegan,
    ProfileEnded,
    ResultKnown,
    RunBegan,
    Warned,
)
from sonde.core.results import FREE, Cost, Failed
from sonde.core.revisions import short
from sonde.report.harmless import harmless
from sonde.report.quantities import counted, duration

PLAIN_INTERVAL_SECONDS = 10.0  # how often a log that is no terminal gets a line


class Progress:
    """A watcher that keeps one line up to date on a terminal, and writes a line now and then elsewhere."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._points = self._runs = 0
        self._builds: int | None = None  # that are needed in all; None: nobody knows
        self._built, self._build_seconds = 0, 0.0
        self._is_limit = False
        self._begun = clock()
        self._last_line = self._begun
        self._done: set[object] = set()
        self._told_at: list[float] = []  # when each new point was done
        self._spent: Cost = FREE
        self._doing = ""
        self._status = console.status("starting", spinner="dots") if console.is_terminal else None

    def __enter__(self) -> Progress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def notice(self, event: Event) -> None:
        """Show an event."""
        match event:
            case BuildBegan(revision):
                self._doing = f"building {short(revision)}"
            case BuildEnded(revision, seconds, failure):
                self._built += 1
                self._build_seconds += seconds
                if failure:
                    self._say(f"{short(revision)} does not build: {failure}")
            case RunBegan(point, number):
                self._doing = f"run {number + 1} of {point.benchmark} at {short(point.revision)}"
            case ProfileBegan(point):
                self._doing = f"profiling {point.benchmark} at {short(point.revision)}"
            case ProfileEnded(point, failure) if failure:
                self._say(f"{point.benchmark} at {short(point.revision)} cannot be profiled: {failure}")
            case ResultKnown(result, spent):
                self._spent = spent
                if result.point not in self._done:
                    self._told_at.append(self._clock())
                self._done.add(result.point)
                if isinstance(result.outcome, Failed) and result.cost.runs:
                    where = f"{result.point.benchmark} at {short(result.point.revision)}"
                    self._say(f"{where} failed: {result.outcome.reason}")
            case Warned(message):
                self._say(f"warning: {message}")
            case Noted(message):
                self._say(message)
            case Planned(points, known, is_limit, builds):
                self._points, self._is_limit, self._builds = points, is_limit, builds
                self._done |= known
                all_of_them = counted(points, "point")
                self._say(
                    f"at most {all_of_them}" if is_limit else f"{all_of_them}, {len(known):,} of them known"
                )
            case Limited(runs):
                self._runs = runs
                self._say(f"at most {counted(runs, 'run')}")
            case ProfileEnded():
                pass
        self._refresh()

    def line(self) -> str:
        """The state of affairs in one line."""
        elapsed = self._clock() - self._begun
        done = len(self._done)
        measured = [self._how_far(done), counted(self._spent.builds, "build"), self._how_many_runs()]
        parts = [*(measured if self._points or self._runs or done else ()), duration(elapsed)]
        if self._told_at and done < self._points and not self._is_limit:
            parts.append(f"about {duration(self._seconds_left(done))} left")
        if self._doing:
            parts.append(self._doing)
        return " · ".join(parts)

    def _seconds_left(self, done: int) -> float:
        """By the pace so far; what is stuck takes longer."""
        left = self._points - done
        seconds = self._by_pace(left) if self._builds is None else self._by_work(left, self._builds)
        return max(seconds, self._clock() - self._told_at[-1])

    def _by_pace(self, left: int) -> float:
        """By the points since the beginning, or since the middle if they got slower."""
        now, half = self._clock(), len(self._told_at) // 2
        begun = self._told_at[half - 1] if half else self._begun
        paces = ((now - self._begun) / len(self._told_at), (now - begun) / (len(self._told_at) - half))
        return max(paces) * left

    def _by_work(self, left: int, builds: int) -> float:
        """By builds and runs apart: those come first, and each serves several points."""
        work = Cost(self._spent.runs, self._built, max(self._spent.seconds, self._build_seconds))
        pace = pace_after(self._clock() - self._begun, work, self._build_seconds)
        runs = self._spent.runs / len(self._told_at) * left
        return max(0, builds - self._built) * (pace.build_seconds or 0) + runs * (pace.run_seconds or 0)

    def _how_far(self, done: int) -> str:
        if not self._points or done > self._points:  # nobody knows how many there will be
            return counted(done, "point")
        return (
            f"{done} of at most {self._points:,} points"
            if self._is_limit
            else f"{done}/{self._points} points"
        )

    def _how_many_runs(self) -> str:
        if not self._runs:  # nobody limits them
            return counted(self._spent.runs, "run")
        return f"{self._spent.runs:,} of at most {counted(self._runs, 'run')}"

    def _refresh(self) -> None:
        if self._status is not None:
            self._status.update(harmless(self.line()))
        elif self._clock() - self._last_line >= PLAIN_INTERVAL_SECONDS:
            self._last_line = self._clock()
            self._console.print(harmless(self.line()), markup=False, highlight=False, soft_wrap=True)

    def _say(self, text: str) -> None:
        self._console.print(harmless(text), markup=False, highlight=False, soft_wrap=True)
