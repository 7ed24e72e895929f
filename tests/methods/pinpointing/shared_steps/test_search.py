"""The whole search, on simulated subjects whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from sonde.campaign.simulate import CORE, SimulateExecutor
from sonde.core.options import Option
from sonde.core.results import Metric
from sonde.space.space import Space
from tests.conformance.executors import last_results
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

LEVELS = Space((*switches(4), Option("level", (1, 5, 9), 1), Option("method", ("lz", "rle", "none"), "lz")))
ALTERNATIVES = Space.of(
    (*switches(3), *(Option(name, (False, True), name == "lz") for name in ("lz", "rle", "huff"))),
    ["exactly one of lz, rle, huff"],
)
NOISE = pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
SEEDS = pytest.mark.parametrize("seed", [1, 2])


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


@NOISE
@SEEDS
def test_a_size_is_that_of_the_two_neighbours_and_not_of_what_changes_around_them(noise, seed):
    small = [(at, CORE, 1.015) for at in (81, 88, 95, 104, 111, 118)]
    subject = subject_of(SIX, (100, CORE, 1.3), *small, noise=noise)

    searched = search_in(subject, seed=seed)

    (finding,) = [one for one in searched.findings if one.position == 100]
    assert (finding.before, finding.after) == (99, 100)
    width = finding.effect_high - finding.effect_low
    assert width < 1e-3 + 6 * noise
    assert finding.effect == pytest.approx(subject.step(100, finding.shown_in), abs=1e-3 + 2 * noise)


def test_where_a_neighbour_fails_the_size_is_that_of_the_nearest_two_that_do_not():
    subject = subject_of(SIX, (70, CORE, 1.5), failing=[68, 69, 71])

    (finding,) = search_in(subject).findings

    assert (finding.before, finding.after) == (67, 70)
    assert finding.earliest == 68
