"""The whole search where builds fail, runs cannot be repeated, or there is hardly anything to search."""

from __future__ import annotations

from math import exp, isfinite
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.campaign.nearest import NearestExecutor
from sonde.campaign.replay import ReplayExecutor
from sonde.campaign.simulate import CORE, SimulatedSubject
from sonde.core.options import Configuration, Option
from sonde.core.points import Point
from sonde.core.results import Measurement, Metric
from sonde.methods.pinpointing.search import DemandResult, SearchProblem
from sonde.methods.pinpointing.shared_steps.search import SharedSteps
from sonde.space.solver.conflicts import NoValidConfiguration
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import (
    NO_MORE,
    SIX,
    assert_sound,
    planner_for,
    search_in,
    subject_of,
    switches,
    term,
)
from tests.values import BENCHMARK

NOISE = pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
SEEDS = pytest.mark.parametrize("seed", [1, 2])


@NOISE
@SEEDS
@pytest.mark.parametrize(
    ("failing", "earliest", "latest"),
    [([69], 69, 70), ([70], 70, 71), ([70, 71], 70, 72), ([68, 72], 70, 70), ([0, 199], 70, 70)],
)
def test_revisions_that_do_not_build_widen_a_finding_to_a_range_that_holds_the_change(
    failing, earliest, latest, noise, seed
):
    subject = subject_of(SIX, (70, term(o2=True), 4.0), noise=noise, failing=failing)

    searched = search_in(subject, seed=seed)

    (finding,) = searched.findings
    assert (finding.earliest, finding.latest) == (earliest, latest)
    assert finding.term == term(o2=True)
    assert_sound(searched, subject)


@NOISE
@pytest.mark.parametrize("failing", [range(50, 90), range(0, 200, 3), range(100, 200)])
def test_where_much_does_not_build_the_range_still_holds_the_change(failing, noise):
    subject = subject_of(SIX, (70, term(o2=True), 4.0), noise=noise, failing=failing)

    searched = search_in(subject)

    (finding,) = searched.findings
    assert finding.earliest <= 70 <= finding.latest
    assert finding.term == term(o2=True)


@NOISE
@pytest.mark.parametrize("share", [0.3, 0.6])
def test_a_change_is_narrowed_past_revisions_that_do_not_build(share, noise):
    """Only those right next to it leave it open where it lies."""
    for seed in range(4):
        rng = Random(seed)
        at = rng.randrange(100, 900)
        failing = {step for step in range(1000) if rng.random() < share}
        subject = subject_of(SIX, (at, term(o2=True), 4.0), revisions=1000, noise=noise, failing=failing)

        (finding,) = search_in(subject, seed=seed).findings

        builds = [step for step in range(1000) if step not in failing]
        assert finding.earliest == max(step for step in builds if step < at) + 1
        assert finding.latest == min(step for step in builds if step >= at)


@NOISE
def test_where_everything_fails_it_says_so(noise):
    searched = search_in(subject_of(SIX, noise=noise, failing=range(200)))

    assert searched.reason == "nothing could be measured"
    assert searched.findings == ()
    assert searched.planner.pinpointed().noise is None
    assert searched.spent.runs == 0


@pytest.mark.parametrize("is_repeatable", [True, False])
def test_values_that_are_all_equal_are_no_change(is_repeatable):
    subject = SimulatedSubject(SIX, 200, {CORE: 2.0})

    searched = search_in(subject, executor=None if is_repeatable else recording(subject))

    assert searched.findings == ()
    assert searched.spent.runs < 100


def recording(subject, seed=0):
    """One value a point, which further runs only repeat."""
    rng = Random(seed)
    values = {
        Point(revision, each, BENCHMARK): subject.value(step, each) * exp(rng.gauss(0.0, subject.noise))
        for step, revision in enumerate(subject.revision_ids)
        for each in subject.space.configurations()
    }
    return ReplayExecutor(values, Metric.CPU)


@NOISE
@SEEDS
def test_a_recording_cannot_be_repeated_and_tells_what_changed(noise, seed):
    subject = subject_of(SIX, (70, term(o2=True), 6.0), noise=noise)

    searched = search_in(subject, executor=recording(subject, seed), seed=seed)

    (finding,) = searched.findings
    assert abs(finding.position - 70) <= (1 if noise > 0.01 else 0)
    assert finding.earliest <= 70 <= finding.latest
    assert finding.term == term(o2=True)
    assert all(
        len(one.outcome.samples) <= 3
        for one in searched.planner._results.values()
        if isinstance(one.outcome, Measurement)
    )


@pytest.mark.parametrize("noise", [0.01, 0.03])
@SEEDS
def test_a_recording_that_lacks_configurations_is_answered_by_the_nearest(noise, seed):
    """Even the lowest one may be among those that it lacks."""
    subject = subject_of(SIX, (70, term(o2=True), 6.0), noise=noise)
    rng = Random(seed)
    _, *others = SIX.configurations()
    values = {
        Point(revision, each, BENCHMARK): subject.value(step, each) * exp(rng.gauss(0.0, noise))
        for each in rng.sample(others, 32)
        for step, revision in enumerate(subject.revision_ids)
    }
    executor = NearestExecutor(ReplayExecutor(values, Metric.CPU), list(values))

    searched = search_in(subject, executor=executor, seed=seed)

    assert searched.told == [(70, "o2")]
    assert all(Point(subject.revision_ids[0], one.shown_in, BENCHMARK) in values for one in searched.findings)


def test_a_recording_without_a_change_yields_nothing():
    for seed in range(8):
        subject = subject_of(SIX, noise=0.03)
        assert search_in(subject, executor=recording(subject, seed), seed=seed).findings == ()


@NOISE
@pytest.mark.parametrize("space", [Space(()), Space((Option("a", (True,), True),))])
def test_a_space_of_one_configuration(space, noise):
    subject = subject_of(space, (70, CORE, 1.4), noise=noise)

    (finding,) = search_in(subject).findings

    assert (finding.position, finding.is_exact) == (70, True)
    assert finding.effect == pytest.approx(subject.step(70, space.default), abs=1e-9 + 3 * noise)
    assert finding.configurations == 1


@NOISE
@pytest.mark.parametrize(("changed", "name"), [(CORE, ""), (term(o1=True), "o1")])
def test_two_revisions_only(changed, name, noise):
    subject = subject_of(Space(switches(3)), (1, changed, 4.0), noise=noise, revisions=2)

    assert search_in(subject).told == [(1, name)]


@NOISE
def test_within_one_revision_nothing_can_change(noise):
    searched = search_in(subject_of(Space(switches(3)), noise=noise, revisions=1))

    assert searched.findings == ()
    assert searched.reason == NO_MORE


def test_without_revisions_nothing_is_measured():
    subject = subject_of(SIX, revisions=1)
    planner = planner_for(subject, life=lambda _: (0, 0))

    assert planner.finished == "nothing could be measured"
    assert planner.findings() == ()


def test_a_contradictory_space_is_refused_before_anything_is_measured():
    space = Space.of(switches(2), ["o0", "not o0"])

    with pytest.raises(NoValidConfiguration, match="'o0' and 'not o0' cannot both hold"):
        planner_for(subject_of(space))


FUZZED = [
    Space(()),
    Space(switches(1)),
    Space((*switches(2), Option("level", (1, 5, 9), 1))),
    Space.of(switches(4), ["exactly one of o0, o1, o2"]),
    Space((Option("a", (True,), True), *switches(1))),
]


@settings(max_examples=60)
@given(
    space=st.sampled_from(FUZZED),
    steps=st.sampled_from([1, 2, 3, 7, 12]),
    values=st.sampled_from([[1.0], [1.0, 1.04], [1.0, 1.0, 2.0], [1e-9, 1.0, 1e9]]),
    failing=st.sampled_from([0.0, 0.2, 0.8]),
    is_repeatable=st.booleans(),
    is_late=st.booleans(),
    seed=st.integers(0, 999),
)
def test_whatever_it_hears_it_ends_and_its_findings_are_sound(
    space, steps, values, failing, is_repeatable, is_late, seed
):
    rng = Random(seed)
    search = SharedSteps()

    def life(configuration):
        return (steps // 2, steps) if is_late and configuration.chosen.get("o0") else (0, steps)

    known: dict[tuple[int, Configuration], tuple[float, ...]] = {}

    def answer(demand):
        first, end = life(demand.configuration)
        assert first <= demand.step < end
        assert space.is_valid(demand.configuration)
        key = (demand.step, demand.configuration)
        if key not in known:
            known[key] = () if rng.random() < failing else tuple(rng.choice(values) for _ in range(64))
        is_whole = rng.random() < 0.5
        return DemandResult(*key, known[key][: demand.runs], is_repeatable, not known[key] and is_whole)

    program = search.run(SearchProblem(steps, space, life, seed=seed))
    ending = ""
    try:
        demands = next(program)
        while True:
            demands = program.send([answer(demand) for demand in demands])
    except StopIteration as end:
        ending = end.value

    assert ending
    for one in search.findings():
        assert 0 < one.earliest <= one.position <= one.latest < steps
        assert 0 < one.probability <= 1 + 1e-12
        assert one.effect_low <= one.effect <= one.effect_high
        assert all(isfinite(each) for each in (one.effect, one.effect_low, one.effect_high))
