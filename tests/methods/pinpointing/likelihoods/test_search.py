"""The search as a whole, on small systems whose changes are known."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Literal, Option
from sonde.methods.pinpointing.likelihoods.search import (
    MOST_MEASUREMENTS,
    NOTHING_LEFT,
    NOTHING_MEASURED,
    SETTLED,
    Likelihoods,
)
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.search import DemandResult
from tests.methods.history_sampling.made_series import FEW_EXAMPLES
from tests.methods.pinpointing.likelihoods.made_systems import (
    CORE,
    MadeSystem,
    play,
    switch,
    term,
    world_of,
)

NAMES = tuple("abcdefgh")
OPTIONS = [switch(name) for name in NAMES]
INFLUENCES = {CORE: 1.0, **{term(name): 0.1 * (at + 1) for at, name in enumerate(NAMES)}}


def assert_sound(findings, world):
    for each in findings:
        assert 0 <= each.earliest <= each.position <= each.latest < world.steps
        assert 0 < each.probability <= 1
        assert all(isfinite(one) for one in (each.effect, each.effect_low, each.effect_high))
        assert each.effect_low <= each.effect <= each.effect_high
        assert each.configurations >= 1


def found_terms(search):
    return [(each.position, each.term) for each in search.findings()]


def test_a_change_of_an_option_is_found_within_five_steps():
    world, search = world_of(OPTIONS, 400), Likelihoods()
    system = MadeSystem(INFLUENCES, [(150, term("c"), 3.0)])

    played = play(search, world, system.answer)

    ((position, changed),) = found_terms(search)
    assert played.ending == SETTLED
    assert abs(position - 150) <= 5
    assert changed == term("c")
    (finding,) = search.findings()
    assert finding.earliest <= 150 <= finding.latest
    assert finding.effect > 0
    assert_sound([finding], world)


def test_two_changes_of_an_option_and_of_the_core_are_found():
    world, search = world_of(OPTIONS, 400), Likelihoods()
    system = MadeSystem(INFLUENCES, [(120, term("f"), 4.0), (300, CORE, 6.0)])

    play(search, world, system.answer)

    found = found_terms(search)
    assert any(abs(at - 120) <= 5 and changed == term("f") for at, changed in found)
    assert any(abs(at - 300) <= 5 and changed == CORE for at, changed in found)


def test_where_nothing_changes_nothing_is_found_and_it_ends_soon():
    world, search = world_of(OPTIONS, 400), Likelihoods()

    played = play(search, world, MadeSystem(INFLUENCES).answer)

    assert search.findings() == ()
    assert len(played.batches) == 3
    assert played.ending == "nothing was found in 3 iterations in a row"


def test_one_of_several_under_a_constraint():
    options = [Option("method", ("lz", "rle", "none"), "lz"), *OPTIONS[:5]]
    world, search = world_of(options, 300, ["a implies b", "not (c and method=none)"]), Likelihoods()
    rle = frozenset({Literal("method", "rle")})
    system = MadeSystem({CORE: 1.0, rle: 0.5, term("d"): 0.3}, [(90, rle, 3.0)])

    play(search, world, system.answer)

    assert any(abs(at - 90) <= 5 and changed == rle for at, changed in found_terms(search))
    assert_sound(search.findings(), world)


def test_an_option_that_exists_only_from_a_step_on():
    life = {True: (250, 400), False: (0, 400)}
    world = replace(world_of(OPTIONS, 400), life=lambda one: life[one["a"] is True])
    search, system = Likelihoods(), MadeSystem(INFLUENCES, [(320, term("a"), 4.0)])

    play(search, world, system.answer)

    assert any(abs(at - 320) <= 5 and term("a") <= changed for at, changed in found_terms(search))
    assert_sound(search.findings(), world)


@pytest.mark.parametrize("is_whole", [False, True])
def test_when_everything_fails_it_says_so(is_whole):
    search = Likelihoods()

    def failing(demand):
        return DemandResult(demand.step, demand.configuration, (), is_whole_revision=is_whole)

    played = play(search, world_of(OPTIONS, 100), failing)

    assert played.ending == NOTHING_MEASURED
    assert search.findings() == ()
    assert search.noise() is None


def test_steps_that_do_not_build_are_tried_once():
    world, search = world_of(OPTIONS, 300), Likelihoods()
    system = MadeSystem(INFLUENCES, [(200, term("h"), 4.0)], failing=range(0, 300, 3))

    played = play(search, world, system.answer)

    first = {demand.step for demand in played.batches[0]}
    later = {demand.step for batch in played.batches[1:] for demand in batch}
    assert not {step for step in first & later if step % 3 == 0}
    assert any(abs(at - 200) <= 5 and changed == term("h") for at, changed in found_terms(search))


def test_it_ends_when_all_is_measured():
    world, search = world_of(OPTIONS[:2], 10), Likelihoods()
    system = MadeSystem({CORE: 1.0, term("a"): 1.0}, [(5, term("a"), 9.0), (7, CORE, 2.0)])

    played = play(search, world, system.answer)

    assert played.ending == NOTHING_LEFT
    assert len(played.demands) == 40


@pytest.mark.parametrize("steps", [0, 1])
def test_where_nothing_can_change_nothing_is_measured(steps):
    played = play(Likelihoods(), world_of(OPTIONS, steps), MadeSystem(INFLUENCES).answer)

    assert played.ending == NOTHING_LEFT
    assert played.demands == []


def test_no_more_is_measured_than_allowed():
    system = MadeSystem(INFLUENCES, [(150, term("c"), 3.0), (250, term("g", "h"), 3.0)])
    search = Likelihoods(PaperSettings(most_measurements=300))

    played = play(search, world_of(OPTIONS, 400), system.answer)

    assert played.ending == MOST_MEASUREMENTS
    assert len(played.demands) == 300


def test_an_iteration_measures_as_many_points_as_it_may():
    system = MadeSystem(INFLUENCES, [(150, term("c"), 3.0), (250, term("g", "h"), 3.0)])

    played = play(Likelihoods(PaperSettings(measurements=50)), world_of(OPTIONS, 400), system.answer)

    assert {len(batch) for batch in played.batches[1:]} == {50}
    assert len(played.batches) <= 30


def test_another_configuration_may_answer():
    world, search = world_of(OPTIONS, 300), Likelihoods()
    system = MadeSystem(INFLUENCES, [(90, term("c"), 4.0)])

    def answer_without_a(demand):
        other = type(demand.configuration).of({**demand.configuration.chosen, "a": False})
        return system.answer(replace(demand, configuration=other))

    play(search, world, answer_without_a)

    assert any(abs(at - 90) <= 5 and term("c") <= changed for at, changed in found_terms(search))
    assert not any(each.shown_in["a"] for each in search.findings())


def test_the_seed_decides_and_nothing_else():
    system = MadeSystem(INFLUENCES, [(150, term("c"), 3.0)])
    plays = [
        play(Likelihoods(), world_of(OPTIONS, 200, seed=seed), system.answer).demands for seed in (1, 1, 2)
    ]

    assert plays[0] == plays[1] != plays[2]


def test_repeats_tell_the_noise_and_raise_the_threshold():
    rng, search = Random(3), Likelihoods()
    world = replace(world_of(OPTIONS, 200), runs=5)

    def noisy(demand):
        return DemandResult(
            demand.step, demand.configuration, tuple(rng.lognormvariate(0, 0.1) for _ in range(demand.runs))
        )

    played = play(search, world, noisy)

    assert {demand.runs for demand in played.demands} == {5}
    assert search.noise() == pytest.approx(0.1, rel=0.2)


@FEW_EXAMPLES
@given(data=st.data(), steps=st.integers(1, 12), count=st.integers(0, 3))
def test_whatever_it_hears_it_ends_and_its_findings_are_sound(data, steps, count):
    world, search = (
        world_of(OPTIONS[:count], steps),
        Likelihoods(PaperSettings(measurements=5, most_iterations=6)),
    )
    values = st.lists(st.sampled_from([1.0, 1.04, 2.0, 1e-9, 1e9]), max_size=2).map(tuple)

    def anything(demand):
        return DemandResult(
            demand.step, demand.configuration, data.draw(values), is_whole_revision=data.draw(st.booleans())
        )

    played = play(search, world, anything)

    assert played.ending
    assert_sound(search.findings(), world)
