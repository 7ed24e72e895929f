"""New configurations and their share of the steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from sonde.core.options import Literal
from sonde.methods.pinpointing.likelihoods.batch import Batch
from sonde.methods.pinpointing.likelihoods.new_configurations import NewConfigurations
from sonde.methods.pinpointing.likelihoods.samples import Samples
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from tests.methods.pinpointing.likelihoods.made_systems import holds, switch, term, world_of

NAMES = tuple("abcdefgh")
WORLD = world_of([switch(name) for name in NAMES], 200)


def begun(world=WORLD, settings=None, room=10**6):
    samples = Samples(world)
    new = NewConfigurations(world, samples, settings or PaperSettings(), Random(0))
    batch = Batch(samples, room, 1)
    new.begin(batch)
    return new, samples, batch


def steps_of_each(batch):
    return Counter(demand.configuration for demand in batch.demands)


def test_the_initial_sample_has_two_configurations_an_option_and_three_percent_of_the_steps_each():
    _, _, batch = begun()

    assert len(steps_of_each(batch)) == 16
    assert set(steps_of_each(batch).values()) == {6}


def test_steps_are_drawn_for_each_configuration_by_itself():
    _, _, batch = begun()

    steps = {
        one: tuple(w.step for w in batch.demands if w.configuration == one) for one in steps_of_each(batch)
    }
    assert len(set(steps.values())) == 16


def test_a_budget_is_kept_and_nothing_is_drawn_twice():
    new, samples, first = begun()
    second = Batch(samples, 1000, 1)

    new.acquire(second, [], 33)

    assert len(second.demands) == 30
    assert not steps_of_each(first).keys() & steps_of_each(second).keys()


def test_half_of_the_new_ones_exploit_what_was_found():
    new, samples, _ = begun(settings=PaperSettings(initial_factor=1))
    batch = Batch(samples, 1000, 1)
    rare = term("a", "b", "c", "d")

    new.acquire(batch, [rare], 20 * 6)

    found = list(steps_of_each(batch))
    kept = [one for one in found if holds(rare, one)]
    few = [
        one
        for one in found
        if sum(one[name] for name in "abcd") in (2, 3) and not any(map(one.chosen.get, "efgh"))
    ]
    assert len(found) == 20
    assert len(kept) >= 5
    assert len(few) >= 4


def test_what_the_core_and_a_term_without_configurations_do_not_give_is_explored():
    new, samples, _ = begun()
    batch = Batch(samples, 1000, 1)
    impossible = frozenset({Literal("a", True), Literal("a", False)})

    new.acquire(batch, [frozenset(), impossible], 60)

    assert len(steps_of_each(batch)) == 10


def test_configurations_exist_where_they_are_measured():
    world = replace(WORLD, life=lambda one: (150, 200) if one["a"] else (0, 1) if one["b"] else (0, 200))
    _, _, batch = begun(world)

    assert not any(demand.configuration["b"] and not demand.configuration["a"] for demand in batch.demands)
    assert all(demand.step >= 150 for demand in batch.demands if demand.configuration["a"])
    assert any(demand.configuration["a"] for demand in batch.demands)
    assert min(steps_of_each(batch).values()) == 2


def test_a_space_without_options_has_its_one_configuration():
    _, _, batch = begun(world_of([], 100))

    assert len(batch.demands) == 3
