"""How long it takes to leave cases out, without builds."""

from __future__ import annotations

from dataclasses import dataclass, field

from sonde.core.events import BuildBegan, BuildEnded, Event, Noted
from sonde.workflows.check.stopwatch import Stopwatch
from tests.values import revision_id

BEGAN, ENDED = BuildBegan(revision_id(1)), BuildEnded(revision_id(1), 1.0)


@dataclass
class Watching:
    """A watcher that remembers, and a clock that is set."""

    events: list[Event] = field(default_factory=list)
    now: float = 100.0

    def notice(self, event: Event) -> None:
        self.events.append(event)

    def clock(self) -> float:
        return self.now


def test_it_stands_still_while_anything_is_built():
    watching = Watching()
    stopwatch = Stopwatch(watching, watching.clock)
    for seconds, event in ((1, BEGAN), (2, BEGAN), (4, ENDED), (8, ENDED), (16, Noted("done")), (32, BEGAN)):
        watching.now += seconds
        stopwatch.notice(event)
    watching.now += 64
    stopwatch.notice(ENDED)
    watching.now += 128

    assert stopwatch.seconds == 1 + 16 + 32 + 128
    assert watching.events == [BEGAN, BEGAN, ENDED, ENDED, Noted("done"), BEGAN, ENDED]
