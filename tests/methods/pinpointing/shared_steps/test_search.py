"""The whole search, on simulated subjects whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from math import exp, isfinite
from random import Random

import pytest

from sonde.campaign.replay import ReplayExecutor
from sonde.campaign.simulate import CORE, SimulatedSubject, SimulateExecutor
from sonde.core.options import Option
from sonde.core.points import Point
from sonde.core.results import Measurement, Metric
from sonde.space.conflicts import NoValidConfiguration
from sonde.space.space import Space
from tests.conformance.executors import last_results
from tests.methods.pinpointing.shared_steps.made_searches import (
    planner_for,
    search_in,
    subject_of,
    switches,
    term,
)
from tests.values import BENCHMARK

SIX = Space(switches(6))
LEVELS = Space((*switches(4), Option("level", (1, 5, 9), 1), Option("method", ("lz", "rle", "none"), "lz")))
ALTERNATIVES = Space.of(
    (*switches(3), *(Option(name, (False, True), name == "lz") for name in ("lz", "rle", "huff"))),
    ["exactly one of lz, rle, huff"],
)
NO_MORE = "no further change shows above the noise"
NOISE = pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
SEEDS = pytest.mark.parametrize("seed", [1, 2])


def assert_sound(searched, subject):
    """Every finding is of this subject, and its figures are figures."""
    for one in searched.findings:
        assert 0 <= one.earliest <= one.position <= one.latest < subject.revisions
        assert 0 < one.probability <= 1
        assert all(isfinite(each) for each in (one.effect, one.effect_low, one.effect_high))
        assert one.effect_low <= one.effect <= one.effect_high
        assert subject.space.is_valid(one.shown_in)
        assert all(one.shown_in[literal.option] == literal.value for literal in one.term)
        assert one.configurations >= 1


ONE_CHANGE = {
    "a single option": (SIX, term(o2=True), 4.0),
    "an option that becomes cheaper": (SIX, term(o5=True), 0.1),
    "the core": (SIX, CORE, 1.5),
    "the core that becomes cheaper": (SIX, CORE, 0.7),
    "an interaction of two": (SIX, term(o1=True, o4=True), 3.0),
    "an interaction of three": (SIX, term(o1=True, o4=True, o5=True), 3.0),
    "an option that is off": (SIX, term(o3=False), 3.0),
    "one that is on while another is off": (SIX, term(o3=False, o0=True), 3.0),
    "a level": (LEVELS, term(level=9), 3.0),
    "a level with an option": (LEVELS, term(level=5, o2=True), 3.0),
    "one of several": (LEVELS, term(method="rle"), 3.0),
    "an alternative": (ALTERNATIVES, term(rle=True), 4.0),
    "an option beside alternatives": (ALTERNATIVES, term(o1=True), 4.0),
}


@NOISE
@SEEDS
@pytest.mark.parametrize("name", ONE_CHANGE)
def test_one_change_is_found_at_its_revision_with_its_term(name, noise, seed):
    space, changed, factor = ONE_CHANGE[name]
    subject = subject_of(space, (70, changed, factor), noise=noise)

    searched = search_in(subject, seed=seed)

    (finding,) = searched.findings
    assert (finding.earliest, finding.position, finding.latest) == (70, 70, 70)
    assert finding.term == changed
    assert finding.unless == frozenset()
    assert finding.probability > 0.9
    assert finding.effect == pytest.approx(subject.step(70, finding.shown_in), abs=1e-9 + 3 * noise)
    assert searched.reason == NO_MORE
    assert_sound(searched, subject)


@NOISE
@SEEDS
def test_a_change_that_one_alternative_does_not_feel_is_told_as_an_exception(noise, seed):
    searched = search_in(subject_of(ALTERNATIVES, (70, term(rle=False), 4.0), noise=noise), seed=seed)

    (finding,) = searched.findings
    assert (finding.position, finding.term, finding.unless) == (70, CORE, term(rle=True))


@NOISE
@SEEDS
def test_a_change_that_one_of_several_values_does_not_feel_is_told_as_an_exception(noise, seed):
    changes = [(70, term(method=name), 2.5) for name in ("lz", "none")]

    searched = search_in(subject_of(LEVELS, *changes, noise=noise), seed=seed)

    (finding,) = searched.findings
    assert (finding.position, finding.term, finding.unless) == (70, CORE, term(method="rle"))


@NOISE
@SEEDS
@pytest.mark.parametrize(
    ("life", "at"), [((100, 200), 150), ((0, 100), 50)], ids=["from mid-history", "until mid-history"]
)
def test_an_option_that_does_not_always_exist(life, at, noise, seed):
    subject = subject_of(SIX, (20, term(o1=True), 4.0), (at, term(o2=True), 4.0), noise=noise)

    searched = search_in(subject, life=lambda each: life if each["o2"] else (0, 200), seed=seed)

    assert searched.told == [(20, "o1"), (at, "o2")]
    assert_sound(searched, subject)


@NOISE
@SEEDS
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param([(70, term(o1=True), 4.0), (73, term(o4=True), 4.0)], id="three revisions apart"),
        pytest.param([(70, term(o1=True), 4.0), (71, term(o4=True), 4.0)], id="next to each other"),
        pytest.param([(70, term(o1=True), 4.0), (70, term(o4=True), 4.0)], id="at one revision"),
        pytest.param([(70, term(o1=True), 4.0), (110, term(o1=True), 0.25)], id="and its undoing"),
        pytest.param([(30, CORE, 1.5), (150, term(o3=True), 6.0)], id="the core and an option"),
        pytest.param([(1, term(o1=True), 4.0), (199, term(o4=True), 4.0)], id="at both ends"),
    ],
)
def test_two_changes_are_told_apart(changes, noise, seed):
    subject = subject_of(SIX, *changes, noise=noise)

    searched = search_in(subject, seed=seed)

    assert searched.told == [(at, " ".join(map(str, changed))) for at, changed, _ in changes]
    assert all(one.is_exact for one in searched.findings)
    assert_sound(searched, subject)


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
def test_where_everything_fails_it_says_so(noise):
    searched = search_in(subject_of(SIX, noise=noise, failing=range(200)))

    assert searched.reason == "nothing could be measured"
    assert searched.findings == ()
    assert searched.planner.pinpointed().noise is None
    assert searched.spent.runs == 0


@pytest.mark.parametrize("noise", [0.01, 0.03])
def test_noise_alone_is_no_change(noise):
    for seed in range(20):
        searched = search_in(subject_of(SIX, noise=noise), seed=seed)

        assert searched.findings == ()
        assert searched.reason == NO_MORE


def test_the_interval_of_an_effect_holds_the_truth_about_nine_times_in_ten():
    subject = subject_of(SIX, (70, term(o1=True, o4=True), 3.0), noise=0.03)
    holds = 0
    for seed in range(30):
        (finding,) = search_in(subject, seed=seed).findings
        truth = subject.step(70, finding.shown_in)
        holds += finding.effect_low <= truth <= finding.effect_high

    assert holds >= 23  # fewer would be a chance of one in a hundred


def test_the_noise_is_told():
    told = search_in(subject_of(SIX, noise=0.03)).planner.pinpointed().noise

    assert told == pytest.approx(0.03, rel=0.2)


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


def test_the_unit_of_the_values_does_not_matter():
    subject = subject_of(SIX, (70, term(o2=True), 4.0), noise=0.01)
    scaled = replace(subject, influences={each: 1e6 * value for each, value in subject.influences.items()})

    one, other = search_in(subject), search_in(scaled)

    assert one.told == other.told == [(70, "o2")]
    assert one.spent == other.spent
    assert one.findings[0].effect == pytest.approx(other.findings[0].effect)


def everything_of(searched):
    return list(searched.planner._results.values())


@NOISE
def test_a_search_that_is_resumed_takes_the_same_course_whatever_the_order_of_results(noise):
    subject = subject_of(SIX, (70, term(o2=True), 4.0), (120, term(o4=True), 5.0), noise=noise)
    searched = search_in(subject, seed=3)
    results = everything_of(searched)

    for seed in range(3):
        told = results.copy()
        Random(seed).shuffle(told)
        resumed = planner_for(subject, seed=3)
        for place in range(0, len(told), 7):
            resumed.tell(told[place : place + 7])

        assert resumed.finished == searched.reason
        assert list(resumed.ask(99)) == []
        assert resumed.findings() == searched.findings


def test_a_search_that_is_resumed_half_way_asks_for_what_is_missing():
    subject = subject_of(SIX, (70, term(o2=True), 4.0), noise=0.01)
    searched = search_in(subject, seed=3)
    results = everything_of(searched)
    known = Random(1).sample(results, len(results) // 2)

    resumed, asked = planner_for(subject, seed=3), 0
    resumed.tell(known)
    executor = SimulateExecutor(subject, Metric.CPU, 3)
    while resumed.finished is None:
        requests = resumed.ask(5)
        asked += len(requests)
        for told in last_results(executor, requests).values():
            resumed.tell(told)

    assert resumed.findings() == searched.findings
    assert asked >= len(results) - len(known)


def test_the_seed_decides_and_nothing_else():
    subject = subject_of(SIX, (70, term(o2=True), 4.0), noise=0.03)

    one, same, other = (search_in(subject, seed=seed) for seed in (1, 1, 2))

    assert one.findings == same.findings
    assert one.spent == same.spent
    assert {result.point for result in everything_of(one)} != {
        result.point for result in everything_of(other)
    }


@NOISE
def test_a_change_below_the_threshold_is_not_told(noise):
    subject = subject_of(SIX, (70, CORE, 1.02), noise=noise)

    assert search_in(subject).findings == ()


def test_many_options_under_noise():
    subject = subject_of(
        Space(switches(20)),
        (300, term(o7=True), 5.0),
        (700, term(o3=True, o11=True), 4.0),
        revisions=1000,
        noise=0.01,
    )

    searched = search_in(subject)

    assert searched.told == [(300, "o7"), (700, "o11 o3")]
