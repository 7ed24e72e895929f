"""The seams: what a planner, an executor, a store and a watcher promise.

`tests/conformance` holds every implementation to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from sonde.core.events import Event
from sonde.core.points import Request
from sonde.core.records import Observation, Record
from sonde.core.results import Result

R = TypeVar("R", bound=Record)

Clock = Callable[[], float]  # seconds that never go backwards

Where = Mapping[str, Collection[str]]  # a field of the record -> the values it may have


class Planner(Protocol):
    """Chooses what to measure next.

    Results are matched by point, never by order. Any subset of what was asked for may come back.
    Telling twice changes nothing. A point that was never asked for but that lies in the planner's
    history, space and benchmarks is free knowledge; any other is ignored.
    """

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for, in words; None while there is."""

    def ask(self, at_most: int) -> Sequence[Request]:
        """Up to `at_most` requests, none of them pending; empty if results must come first."""

    def tell(self, results: Iterable[Result]) -> None:
        """Take note of results."""


class Executor(Protocol):
    """Makes points happen."""

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """Every new sample or failure as soon as it is there; the last of a point holds all its samples.

        A consumer that stops early closes the generator, which ends whatever runs.
        """


class Store(Protocol):
    """Keeps records."""

    def append(self, *records: Record) -> None:
        """Make all of `records` durable, or none; what is known already stays as it is.

        Of the same change, the last tuple stays; of the same build, the snapshot of the newest format; of the
        same case, step and threshold, the last audit.
        """

    def query(self, kind: type[R], where: Where) -> Iterator[R]:
        """The records of one kind whose fields have one of the given values, in order of appending.

        The samples and failures of a measurement are in the order of their numbers.
        """

    def forget(self, kind: type[Record], where: Where) -> int:
        """Remove such records, so that they can be taken again; how many there were."""


class Watcher(Protocol):
    """Is told what happens, as it happens."""

    def notice(self, event: Event) -> None:
        """Take note of an event; must not raise."""
