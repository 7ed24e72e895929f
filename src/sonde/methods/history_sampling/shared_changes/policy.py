"""The default policy: series of one subject change at the same revisions, and learn from each other.

Each series is a course of levels with noise (`local_posterior`). Where levels change is learnt from all
together (`intensity`), so a gap in which one series changes is not halved, but split where others changed.
What may hide between two equal samples is judged by what others went through there (`exploration`). The pick
is the step that takes away most of the expected relative error.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from sonde.methods.history_sampling.facts import Integers, Pick, SeriesFacts, SubjectFacts, distance
from sonde.methods.history_sampling.policy import Inferred, nothing_open
from sonde.methods.history_sampling.shared_changes.beliefs import Beliefs, believe
from sonde.methods.history_sampling.shared_changes.common_course import common_course, without
from sonde.methods.history_sampling.shared_changes.exploration import Doubts, Fellows, doubts
from sonde.methods.history_sampling.shared_changes.inference import infer
from sonde.methods.history_sampling.shared_changes.settings import Expectations
from sonde.methods.history_sampling.shared_changes.splitting import LARGEST_ERROR, best_split, relative_error

GOLDEN = 0.6180339887498949
FEW = 3  # series; so many can afford to begin at both ends
FROM_END = 0.66  # part of the error beyond the first or last sample that a further sample takes away
FROM_MIDDLE = 0.5  # the same, between two samples
FROM_REPEAT = 0.3  # part of the error of a wrong decision that twice as many runs take away
UNDECIDED = 0.1  # a change is neither less likely than this, nor likelier than the rest


@dataclass(frozen=True)
class Offer:
    """A step that a series would like to measure, and the error that this takes away."""

    gain: float
    series: int
    step: int
    runs: int = 1


@dataclass(frozen=True)
class SharedChanges:
    """The default policy."""

    expected: Expectations = field(default_factory=Expectations)

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """First some samples of each series, then the best offer of those series that gain most."""
        first = list(islice(self._first_picks(facts), at_most))
        if first or at_most == 0:
            return first
        offers = sorted(
            self._offers(facts, at_most), key=lambda offer: (-offer.gain, offer.series, offer.step)
        )
        return [Pick(one.series, one.step, one.runs, one.gain) for one in offers[:at_most]]

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """Courses with bands, and the changes of level."""
        return infer(facts, self.expected)

    def _offers(self, facts: SubjectFacts, at_most: int) -> Iterator[Offer]:
        """What the series would like to measure: a fair share each, one a gap, none where one is pending."""
        able = [at for at, one in enumerate(facts.series) if len(one.measured) and not nothing_open(one)]
        if not able:
            return
        facts = without(facts, common_course(facts))
        beliefs = believe(facts, self.expected)
        fellows, taken = Fellows.of(facts, beliefs), _taken(facts)
        for series in able:
            known = facts.series[series]
            most = min(-(-at_most // len(able)), known.allowance)
            doubt = doubts(facts, fellows, series, self.expected)
            ends = list(self._beyond(facts, beliefs, doubt, series))
            inner = self._between(facts, beliefs, doubt, series, taken, most)
            repeats = self._repeats(facts, beliefs, series)
            yield from heapq.nlargest(most, [*ends, *inner, *repeats], key=_gain)

    def _first_picks(self, facts: SubjectFacts) -> Iterator[Pick]:
        """Steps spread over the history, differently for each series: together they see all of it."""
        for at, series in enumerate(facts.series):
            wanted = min(self.expected.first_samples, len(series.known) + series.allowance)
            if len(series.known) >= wanted or nothing_open(series):
                continue
            taken, is_open = series.known.tolist(), series.is_open.copy()
            for step in _farthest_first(_first_steps(series.steps, wanted, at, facts), taken):
                chosen = replace(series, is_open=is_open).nearest_open(step, 0, series.steps - 1)
                if chosen is not None and len(taken) < wanted:
                    is_open[chosen] = False
                    taken.append(chosen)
                    yield Pick(at, chosen)

    def _beyond(self, facts: SubjectFacts, beliefs: Beliefs, doubt: Doubts, series: int) -> Iterator[Offer]:
        """Offers before the first sample and behind the last: a single change there would go unseen."""
        known, gaps = facts.series[series], beliefs.gaps.of_series(series)
        for is_late in (False, True):
            first = int(known.measured[-1]) + 1 if is_late else 0
            last = known.steps - 1 if is_late else int(known.measured[0]) - 1
            if last < first or _is_pending(known, first, last):
                continue
            width = last - first + 1
            outer = known.places[[first, last]] if is_late else known.places[[0, last]]
            share = float(beliefs.intensity.between(outer[:1], outer[1:])[0])
            unseen = min(1.0, float(beliefs.changes[series]) * share) * self.expected.change_size / 3
            gain = FROM_END * float(doubt.between(np.array(first - 1), np.array(last + 1))) + unseen * width
            if gaps.stop > gaps.start:
                gap = gaps.stop - 1 if is_late else gaps.start
                levels = (beliefs.left[gap], beliefs.right[gap])
                outermost, next_one = levels[::-1] if is_late else levels
                lost = min(relative_error(outermost, next_one), 1.0) * float(beliefs.change[gap])
                gain += self.expected.lasting_doubt * lost * 0.3 * width
            step = _most_doubtful(known, doubt, first, last, ends=(not is_late, is_late))
            if step is not None:
                yield Offer(gain, series, step)

    def _between(
        self, facts: SubjectFacts, beliefs: Beliefs, doubt: Doubts, series: int, taken: Integers, most: int
    ) -> list[Offer]:
        """The best offers between two samples: where the level changes, or where something may hide."""
        known, gaps = facts.series[series], beliefs.gaps.of_series(series)
        lefts, rights = beliefs.gaps.left[gaps], beliefs.gaps.right[gaps]
        change, before, after = beliefs.change[gaps], beliefs.left[gaps], beliefs.right[gaps]
        hidden = FROM_MIDDLE * doubt.between(lefts, rights) * (1 - change)
        size = np.minimum(np.expm1(np.minimum(np.abs(after - before), 50.0)), LARGEST_ERROR)
        bound = change * size * (rights - lefts) / 4 + hidden
        offers: list[Offer] = []
        for gap in np.argsort(-bound, kind="stable"):
            if len(offers) >= most and bound[gap] <= sorted(map(_gain, offers))[-most]:
                break
            left, right = int(lefts[gap]), int(rights[gap])
            if right - left < 2 or _is_pending(known, left + 1, right - 1):
                continue
            location = beliefs.location(facts, gaps.start + int(gap))
            split = best_split(location, float(before[gap]), float(after[gap]))
            resolved = float(change[gap]) * split.gain
            demand: int | None = left + 1 + split.step
            if resolved <= hidden[gap]:
                demand = _most_doubtful(known, doubt, left + 1, right - 1, taken=taken)
            step = None if demand is None else known.nearest_open(demand, left + 1, right - 1)
            if step is not None:
                offers.append(Offer(resolved + float(hidden[gap]), series, step))
        return offers

    def _repeats(self, facts: SubjectFacts, beliefs: Beliefs, series: int) -> Iterator[Offer]:
        """Offers of further runs of a sample, where it is undecided whether the level changes beside it."""
        known, gaps = facts.series[series], beliefs.gaps.of_series(series)
        change = beliefs.change[gaps]
        rise = np.minimum(np.abs(beliefs.right[gaps] - beliefs.left[gaps]), 50.0)
        size = np.minimum(np.expm1(rise), LARGEST_ERROR)
        width = np.diff(known.measured)
        for gap in np.flatnonzero((change > UNDECIDED) & (change < 1 - UNDECIDED)):
            ordinal = int(gap + np.argmin(known.runs[gap : gap + 2]))  # the sample of which least is known
            step, runs = int(known.measured[ordinal]), int(known.runs[ordinal])
            if 2 * runs <= known.most_runs[ordinal] and not _is_pending(known, step, step):
                wrong = min(change[gap], 1 - change[gap]) * size[gap]
                stake = width[max(gap - 1, 0) : gap + 2].sum()
                yield Offer(FROM_REPEAT * float(wrong * stake), series, step, 2 * runs)


def _gain(offer: Offer) -> float:
    return offer.gain


def _first_steps(steps: int, wanted: int, series: int, facts: SubjectFacts) -> list[int]:
    """Where a series begins; few series begin at both ends, many spread evenly over the history."""
    if len(facts.series) <= FEW:
        return [0, steps - 1, *(steps * at // (wanted - 1) for at in range(1, wanted - 1))][:wanted]
    shift = ((series + 1) * GOLDEN + facts.seed * 0.37) % 1
    return [min(steps - 1, int((at + shift) / wanted * steps)) for at in range(wanted)]


def _farthest_first(steps: Sequence[int], taken: Sequence[int]) -> list[int]:
    """The steps, those first that are far from what is taken already."""
    if not taken:
        return list(steps)
    return sorted(steps, key=lambda step: -min(abs(step - other) for other in taken))


def _taken(facts: SubjectFacts) -> Integers:
    """The places at which any series was measured or will be."""
    return np.unique(np.concatenate([series.places[series.known] for series in facts.series]))


def _is_pending(known: SeriesFacts, first: int, last: int) -> bool:
    at = np.searchsorted(known.pending, first)
    return bool(at < len(known.pending) and known.pending[at] <= last)


def _most_doubtful(
    known: SeriesFacts,
    doubt: Doubts,
    first: int,
    last: int,
    taken: Integers | None = None,
    ends: tuple[bool, bool] = (False, False),
) -> int | None:
    """The open step with most doubt, rather inside than at the edge, and rather where nobody measured yet."""
    inside = (doubt.steps >= first) & (doubt.steps <= last)
    steps, errors = doubt.steps[inside], doubt.errors[inside]
    if not len(steps):  # a gap between two of the steps that were looked at
        steps, errors = np.array([(first + last) // 2]), np.ones(1)
    width = last - first + 2
    from_left, from_right = (steps - first + 1) / width, (last - steps + 1) / width
    is_early, is_late = ends  # the far end has no sample, so a step nearer to it tells more
    room = np.minimum(from_left / (1 + is_late), from_right / (1 + is_early))
    score = errors * np.sqrt(room)
    if taken is not None:
        score = score * (1 + np.minimum(distance(known.places[steps], taken), 50.0)) ** 0.25
    return known.nearest_open(int(steps[np.argmax(score)]), first, last)
