"""One list of revisions for all series: a build serves all benchmarks and configurations of a revision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from sonde.methods.history_sampling.facts import UNLIMITED, Integers, Pick, SubjectFacts
from sonde.methods.history_sampling.policy import Inferred, Policy

LEEWAY = 0.35  # how far a pick may move, as a part of its distance to the next sample
WISHES = 4  # so many are looked at for each that is granted


@dataclass(frozen=True)
class PlacedPick:
    """A pick, and the places of the history from which it may be served."""

    pick: Pick
    place: int
    earliest: int
    latest: int


@dataclass(frozen=True)
class RevisionVisit:
    """A revision, the demands that it serves, and what they gain for their cost."""

    place: int
    demands: tuple[PlacedPick, ...]
    rate: float


@dataclass(frozen=True)
class MeetingPolicy:
    """Lets the picks of another policy meet at few revisions.

    Each pick may move a little. A revision that is built serves it for the cost of a run; a new one costs its
    build too, and is worth it if it serves many. When no further build is allowed, picks go to what is built.
    """

    policy: Policy
    most_places: int = UNLIMITED  # so many revisions may be built in all

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """The picks of the policy, at shared revisions; those first that gain most for their cost."""
        built = _built(facts)
        left = self.most_places - len(built)
        if left <= 0:
            return self.policy.choose(_only_at(facts, built), at_most)
        demands = [_wish(facts, pick) for pick in self.policy.choose(facts, WISHES * at_most)]
        visits = sorted(_visits(facts, demands, built), key=lambda visit: (-visit.rate, visit.place))
        picks: dict[tuple[int, int], Pick] = {}  # by series and step: two demands of a series may meet at one
        for visit in visits:
            if len(picks) >= at_most:
                break
            is_new = visit.place not in built
            if is_new and left <= 0:
                continue
            left -= is_new
            for pick in _moved(facts, visit):
                picks.setdefault((pick.series, pick.step), pick)
        return list(picks.values())[:at_most]

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """As the policy does."""
        return self.policy.infer(facts)


def _built(facts: SubjectFacts) -> Integers:
    """The places at which any series was measured or will be."""
    places = [series.places[series.known] for series in facts.series]
    return np.unique(np.concatenate(places)) if places else np.zeros(0, dtype=np.int64)


def _only_at(facts: SubjectFacts, places: Integers) -> SubjectFacts:
    """The same facts, but nothing else is open."""
    series = [replace(one, is_open=one.is_open & np.isin(one.places, places)) for one in facts.series]
    return replace(facts, series=tuple(series))


def _wish(facts: SubjectFacts, pick: Pick) -> PlacedPick:
    series = facts.series[pick.series]
    at = int(np.searchsorted(series.known, pick.step))
    left = int(series.known[at - 1]) if at > 0 else -1
    right = int(series.known[at]) if at < len(series.known) else series.steps
    earliest = pick.step - int(LEEWAY * (pick.step - left))
    latest = pick.step + int(LEEWAY * (right - pick.step))
    first, place, last = (
        int(series.places[step]) for step in (earliest, pick.step, min(latest, series.steps - 1))
    )
    return PlacedPick(pick, place, first, last)


def _visits(facts: SubjectFacts, demands: Sequence[PlacedPick], built: Integers) -> Iterator[RevisionVisit]:
    """First what is built already, then, one after the other, the new revision that serves most."""
    waiting: list[PlacedPick] = []
    served: dict[int, list[PlacedPick]] = {}
    for demand in demands:
        near = built[(built >= demand.earliest) & (built <= demand.latest)]
        near = (
            near[[_step_at(facts, demand, int(place)) is not None for place in near]] if len(near) else near
        )
        if len(near):
            served.setdefault(int(near[np.argmin(np.abs(near - demand.place))]), []).append(demand)
        else:
            waiting.append(demand)
    for place, some in served.items():
        yield RevisionVisit(place, tuple(some), sum(demand.pick.gain for demand in some) / len(some))
    while waiting:
        place = _busiest(waiting)
        is_served = [_step_at(facts, demand, place) is not None for demand in waiting]
        some = list(compress(waiting, is_served))
        waiting = [demand for demand, served_now in zip(waiting, is_served, strict=True) if not served_now]
        yield RevisionVisit(
            place, tuple(some), sum(demand.pick.gain for demand in some) / (facts.build_cost + len(some))
        )


def _step_at(facts: SubjectFacts, demand: PlacedPick, place: int) -> int | None:
    """The step that serves a demand at a place; None if that is too far, or can have no value."""
    if place == demand.place:
        return demand.pick.step
    if not demand.earliest <= place <= demand.latest:
        return None
    series = facts.series[demand.pick.series]
    step = int(np.searchsorted(series.places, place))
    return step if series.places[step] == place and series.is_open[step] else None


def _busiest(demands: Sequence[PlacedPick]) -> int:
    """The wished-for place that serves the largest gain."""
    places = np.array([demand.place for demand in demands])
    first, last = (
        np.array([demand.earliest for demand in demands]),
        np.array([demand.latest for demand in demands]),
    )
    gains = np.array([demand.pick.gain for demand in demands])
    starts, ends = np.argsort(first, kind="stable"), np.argsort(last, kind="stable")
    begun = np.concatenate([[0.0], np.cumsum(gains[starts])])[np.searchsorted(first[starts], places, "right")]
    ended = np.concatenate([[0.0], np.cumsum(gains[ends])])[np.searchsorted(last[ends], places, "left")]
    return int(places[np.argmax(begun - ended)])


def _moved(facts: SubjectFacts, visit: RevisionVisit) -> Iterator[Pick]:
    """The picks, each at the step of its series that begins at the place."""
    for demand in visit.demands:
        step = _step_at(facts, demand, visit.place)
        if step is not None:
            yield replace(demand.pick, step=step)
