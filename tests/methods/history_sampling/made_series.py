"""Series whose truth is known, facts about them, and a loop that plays a planner against them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from sonde.core.options import Configuration
from sonde.core.points import Point, Request
from sonde.core.results import Cost, Measurement, Metric, Result, Sample
from sonde.methods.history_sampling.facts import UNLIMITED, Array, Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.series import Series
from tests.values import failed, revision_id

FEW_EXAMPLES = settings(max_examples=12)
SOME_EXAMPLES = settings(max_examples=30)

Value = Callable[[str, int, int], float]  # of a benchmark, at a position of the history, in a run


def series_facts(
    steps: int,
    logs: Mapping[int, float],
    *,
    failing: Collection[int] = (),
    pending: Collection[int] = (),
    allowance: int = UNLIMITED,
    places: Sequence[int] | None = None,
    most_runs: int = 1,
) -> SeriesFacts:
    """What is known of a series, given the logs of its measured steps."""
    measured = np.array(sorted(logs), dtype=np.int64)
    is_open = np.ones(steps, dtype=np.bool_)
    is_open[[*logs, *failing, *pending]] = False
    return SeriesFacts(
        places=np.arange(steps) if places is None else np.array(places, dtype=np.int64),
        measured=measured,
        logs=np.array([logs[step] for step in measured.tolist()], dtype=np.float64),
        runs=np.ones(len(measured), dtype=np.int64),
        most_runs=np.full(len(measured), most_runs, dtype=np.int64),
        is_open=is_open,
        pending=np.array(sorted(pending), dtype=np.int64),
        allowance=allowance,
        noise_floor=0.01,
        magnitude=0.05,
    )


def facts_of(*series: SeriesFacts, seed: int = 0) -> SubjectFacts:
    return SubjectFacts(1 + max(int(one.places[-1]) for one in series), series, seed)


@st.composite
def some_series_facts(draw, most_steps=40, *, with_failures=True):
    """Steps that are measured, pending, failing or open, in any mixture."""
    steps = draw(st.integers(1, most_steps))
    states = ["open", "open", "open", "measured", "pending", *(["failing"] if with_failures else [])]
    drawn = draw(st.lists(st.sampled_from(states), min_size=steps, max_size=steps))
    levels = st.sampled_from([0.0, 0.001, 0.3]) | st.floats(-1.0, 1.0)
    return series_facts(
        steps,
        {step: draw(levels) for step, state in enumerate(drawn) if state == "measured"},
        failing=[step for step, state in enumerate(drawn) if state == "failing"],
        pending=[step for step, state in enumerate(drawn) if state == "pending"],
        allowance=draw(st.sampled_from([0, 1, 3, UNLIMITED])),
        places=np.cumsum(draw(st.lists(st.integers(1, 3), min_size=steps, max_size=steps))).tolist(),
        most_runs=draw(st.sampled_from([1, 4])),
    )


some_facts = st.lists(some_series_facts(), min_size=1, max_size=5).map(lambda series: facts_of(*series))


def assert_valid(picks: Sequence[Pick], facts: SubjectFacts, at_most: int) -> None:
    """What every policy promises of its picks."""
    assert len(picks) <= at_most
    assert len({(pick.series, pick.step) for pick in picks}) == len(picks)
    for at, series in enumerate(facts.series):
        own = [pick for pick in picks if pick.series == at]
        repeated = [pick for pick in own if pick.step in series.measured]
        assert len(own) - len(repeated) <= series.allowance
        assert all(series.is_open[pick.step] for pick in own if pick not in repeated)
        assert not {pick.step for pick in own} & set(series.pending.tolist())
        for pick in repeated:
            (ordinal,) = np.flatnonzero(series.measured == pick.step)
            assert series.runs[ordinal] < pick.runs <= series.most_runs[ordinal]


def made_series(
    length: int,
    name: str = "pack",
    *,
    kinds: Sequence[object] | None = None,
    positions: Sequence[int] | None = None,
    runs: int = 1,
    most_runs: int = 1,
    counted_noise: float | None = None,
    magnitude: float = 0.05,
) -> Series:
    """A series over `length` revisions, no two of them equal unless `kinds` says so."""
    places = range(length) if positions is None else positions
    return Series(
        Configuration.of({}),
        name,
        Metric.CPU,
        tuple(revision_id(place) for place in places),
        tuple(places),
        tuple(range(length)) if kinds is None else tuple(kinds),
        runs,
        most_runs,
        noise_floor=0.01 if counted_noise is None else max(counted_noise, 1e-5),
        magnitude=magnitude,
        counted_noise=counted_noise,
    )


def position_of(point: Point) -> int:
    return int(point.revision, 16)


def result_of(point: Point, values: Sequence[float]) -> Result:
    samples = tuple(Sample(number, ((Metric.CPU, value),), 0.0) for number, value in enumerate(values))
    return Result(point, Measurement(samples), Cost(runs=len(samples)))


def play(
    planner: HistoryPlanner, value: Value, *, batch: int = 4, failing: Collection[int] = ()
) -> list[Request]:
    """Answer whatever is asked for until the planner has finished; what it asked for, in order."""
    asked: list[Request] = []
    while planner.finished is None:
        requests = planner.ask(batch)
        asked += requests
        for request in requests:
            position, name = position_of(request.point), request.point.benchmark
            if position in failing:
                planner.tell([failed(request.point)])
            else:
                values = [value(name, position, run) for run in range(request.runs)]
                planner.tell([result_of(request.point, values)])
        assert requests or planner.finished, "it waits for nothing"
    return asked


def planner_of(
    policy: Policy, count: int, length: int, allowance: int = UNLIMITED, seed: int = 0
) -> HistoryPlanner:
    """A planner of `count` series that are named 0, 1, ..."""
    series = [made_series(length, str(at)) for at in range(count)]
    return HistoryPlanner(series, length, policy, seed, lambda revisions: allowance)


def noisy(truth: Mapping[str, Array], deviation: float, seed: int) -> Value:
    """Values around a truth; the same run of the same point has the same value."""
    rng = np.random.default_rng(seed)
    errors = {name: rng.normal(0.0, deviation, (len(course), 8)) for name, course in truth.items()}

    def value(name: str, position: int, run: int) -> float:
        return float(truth[name][position] * np.exp(errors[name][position, run % 8]))

    return value


def stepped(length: int, changes: Mapping[int, float], level: float = 1.0) -> Array:
    """A course that is multiplied by a factor at some positions."""
    course = np.full(length, level)
    for position, factor in changes.items():
        course[position:] *= factor
    return course
