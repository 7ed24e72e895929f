"""Narrowing down where a range got slower, against known truth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import ceil, exp, log, log2

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.events import Event, Noted
from sonde.core.options import Configuration
from sonde.core.points import Request
from sonde.core.results import Failed, Measurement, Metric, Result, Stage
from sonde.core.revisions import History, Revision
from sonde.methods.comparison.bisecting import RangeEnd, is_step, leanings, most_probes, side_of
from sonde.methods.history_sampling.series import Series
from sonde.workflows.check.bisecting.culprit import HASTE
from sonde.workflows.check.bisecting.probes import level_of
from sonde.workflows.check.bisecting.search import MOST_UNDECIDED, NO_VALUE, Located, locate
from tests.values import BENCHMARK, revision_id, sample

BROKEN = Failed(Stage.BUILD, "make exited with code 2")


@dataclass
class Silence:
    """A watcher that remembers what it was told."""

    notes: list[str] = field(default_factory=list)

    def notice(self, event: Event) -> None:
        if isinstance(event, Noted):
            self.notes.append(event.message)


@dataclass
class World:
    """Revisions with known values."""

    values: Sequence[float]
    failing: Collection[int] = ()
    kinds: Sequence[int] | None = None
    asked: list[int] = field(default_factory=list)

    def search(
        self, known: Collection[int] = (), probe: Callable[[int], Measurement | Failed] | None = None
    ) -> Located:
        count = len(self.values)
        ids = tuple(map(revision_id, range(count)))
        kinds = tuple(self.kinds or range(count))
        series = Series(Configuration.of({}), BENCHMARK, Metric.CPU, ids, tuple(range(count)), kinds)
        history = History(tuple(Revision(each, (), 0, "Ada", "a change") for each in ids))
        ends = (
            {0: level_of(RangeEnd.OLD, Metric.CPU), count - 1: level_of(RangeEnd.NEW, Metric.CPU)}
            if probe
            else {}
        )
        told = [
            Result(series.point(at), ends.get(at, self.outcome(at))) for at in sorted({0, count - 1, *known})
        ]

        def answer(request: Request) -> Measurement | Failed:
            self.asked.append(int(request.point.revision, 16))
            return (probe or self.outcome)(self.asked[-1])

        return locate(series, history, told, answer, Silence())

    def outcome(self, at: int) -> Measurement | Failed:
        return BROKEN if at in self.failing else Measurement((sample(0, self.values[at]),))


def one_step(count: int, at: int, factor: float = 1.2) -> list[float]:
    return [100.0 * (factor if position >= at else 1.0) for position in range(count)]


def holds(located: Located, at: int) -> bool:
    return located.earliest <= at <= located.latest


steps = st.integers(2, 300).flatmap(lambda count: st.tuples(st.just(count), st.integers(1, count - 1)))


@given(step=steps, factor=st.sampled_from([0.5, 0.98, 1.01, 3.0]))
def test_one_step_is_found_by_halving(step, factor):
    count, at = step
    world = World(one_step(count, at, factor))

    located = world.search()

    assert located.earliest == located.latest == at
    assert located.before == at - 1
    assert located.probed == len(world.asked) <= ceil(log2(count))
    assert not located.is_cut
    assert located.height == located.whole


@given(step=steps, data=st.data())
def test_revisions_that_fail_leave_a_range_that_holds_the_truth(step, data):
    count, at = step
    failing = data.draw(st.sets(st.integers(1, count - 2))) if count > 2 else set()
    world = World(one_step(count, at), failing)

    located = world.search()

    assert holds(located, at)
    between = set(range(located.earliest, located.latest))
    assert located.is_cut or between <= failing
    assert set(located.silent) == between & set(world.asked) & failing
    assert len(set(world.asked)) == len(world.asked)


def test_a_single_failure_next_to_the_step_makes_a_range_of_two():
    located = World(one_step(40, 23), failing={22}).search()

    assert (located.earliest, located.latest) == (22, 23)
    assert located.silent == {22: BROKEN}


@given(step=steps, data=st.data())
def test_what_is_known_is_not_asked_for(step, data):
    count, at = step
    known = data.draw(st.sets(st.integers(0, count - 1)))
    world = World(one_step(count, at))

    located = world.search(known)

    assert located.earliest == located.latest == at
    assert known.isdisjoint(world.asked)


@given(step=steps, data=st.data())
def test_twins_are_one_step_and_a_revert_is_no_culprit(step, data):
    """Builds come back: what was reverted has the value that it had before."""
    count, at = step
    builds = data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    is_new = [position >= at for position in range(count)]
    kinds = [2 * build + new for build, new in zip(builds, is_new, strict=True)]
    world = World(one_step(count, at), kinds=kinds)

    located = world.search()

    assert located.earliest == located.latest == at
    asked = [kinds[position] for position in world.asked]
    assert len(set(asked)) == len(asked)


@given(step=steps, second=st.floats(0.0, 1.0), height=st.floats(1.001, 1.08))
def test_of_two_steps_the_larger_one_is_found(step, second, height):
    count, at = step
    other = 1 + round(second * (count - 2))
    pairs = zip(one_step(count, at, 1.2), one_step(count, other, height), strict=True)
    world = World([one * two for one, two in pairs])

    located = world.search()

    assert holds(located, at)
    assert located.earliest == located.latest
    assert located.height <= located.whole + 1e-9


def test_what_was_left_behind_is_taken_up_if_it_hides_a_larger_step():
    """The first half rises more in all, but by three small steps; the second half by one."""
    logs = [0.0] * 2 + [0.2] * 2 + [0.4] * 2 + [0.6] * 3 + [1.1] * 7

    located = World([exp(level) for level in logs]).search()

    assert located.earliest == located.latest == 9
    assert located.height < 0.5 * located.whole


def test_a_drift_ends_with_a_range_that_is_said_to_be_cut():
    world = World([1.001**position for position in range(500)])

    located = world.search()

    assert located.is_cut
    assert len(world.asked) == most_probes(500)
    assert located.height < 0.2 * located.whole


def test_a_value_without_a_logarithm_says_nothing():
    values = one_step(20, 10)
    values[9] = 0.0

    located = World(values).search()

    assert (located.earliest, located.latest) == (9, 10)
    assert located.silent == {9: NO_VALUE}


def test_a_long_stretch_that_fails_is_not_tried_one_by_one():
    world = World(one_step(400, 200), failing=range(100, 300))

    located = world.search()

    assert holds(located, 200)
    assert len(world.asked) <= 2 * most_probes(400)


@dataclass
class Noise:
    """Pairs of runs in a world, through noise."""

    world: World
    rng: np.random.Generator
    deviation: float
    most_pairs: int = 120

    def logs(self, first: int, second: int) -> list[float]:
        change = log(self.world.values[second] / self.world.values[first])
        noise = self.deviation * self.rng.standard_t(3, (2, self.most_pairs))
        changes: list[float] = (change + noise[0] - noise[1]).tolist()
        return changes

    def probe(self, error: float, change: float) -> Callable[[int], Measurement | Failed]:
        def answer(at: int) -> Measurement | Failed:
            if at in self.world.failing:
                return BROKEN
            leaning = leanings(self.logs(0, at), self.logs(at, -1))
            side = side_of(leaning, error, change)
            return level_of(side, Metric.CPU) if side else Failed(Stage.RUN, "undecided", is_lasting=False)

        return answer

    def search(self, error: float = 0.05) -> Located:
        """As the workflow does: in haste, and carefully if what comes of it does not stand."""
        whole = float(np.median(self.logs(0, -1)))
        located = self.world.search(probe=self.probe(HASTE, whole))
        if is_step(self.logs(located.before, located.latest), error / 4, whole):
            return located
        decisions = most_probes(len(self.world.values)) + MOST_UNDECIDED
        return self.world.search(probe=self.probe(error / 2 / decisions, 0.0))


def test_noise_lengthens_the_search_but_does_not_lower_its_confidence():
    rng = np.random.default_rng(1)
    right = exact = 0
    searches = 150
    for _ in range(searches):
        count = int(rng.integers(2, 200))
        at = int(rng.integers(1, count))
        failing = {int(each) for each in rng.integers(1, count, count // 10)} - {at, count - 1}
        world = World(one_step(count, at, 1.06), failing)

        located = Noise(world, rng, 0.015).search()

        right += holds(located, at)
        exact += located.earliest == located.latest
    assert right >= 0.95 * searches
    assert exact >= 0.85 * searches


def test_through_noise_no_revision_is_accused_that_changed_nothing():
    """Three steps of the same height: a level half-way between the ends may be taken for either."""
    rng = np.random.default_rng(2)
    guiltless = 0
    for _ in range(60):
        steps = sorted(int(each) for each in rng.choice(np.arange(1, 60), 3, replace=False))
        world = World([1.04 ** sum(at >= step for step in steps) for at in range(60)])

        located = Noise(world, rng, 0.01).search()

        guiltless += not any(holds(located, step) for step in steps)
    assert guiltless <= 0.05 * 60


def test_where_noise_hides_everything_the_whole_range_is_told():
    world = World(one_step(50, 20, 1.001))

    located = world.search(probe=Noise(world, np.random.default_rng(0), 0.2, 30).probe(0.001, 0.0))

    assert holds(located, 20)
    assert (located.earliest, located.latest) == (1, 49)
    assert located.is_cut
    assert set(located.silent) == set(world.asked)
    assert len(world.asked) == MOST_UNDECIDED


def test_levels_are_those_of_the_ends():
    old, new = level_of(RangeEnd.OLD, Metric.CPU), level_of(RangeEnd.NEW, Metric.CPU)

    assert log(new.samples[0].values[Metric.CPU] / old.samples[0].values[Metric.CPU]) == 1.0
