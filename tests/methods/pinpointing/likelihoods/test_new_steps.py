"""Further steps of known configurations."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.batch import Batch
from sonde.methods.pinpointing.likelihoods.new_steps import exploit_steps, explore_steps, farthest, is_unsure
from sonde.methods.pinpointing.likelihoods.samples import Samples
from sonde.methods.pinpointing.search import DemandResult, SampleDemand
from tests.methods.pinpointing.likelihoods.made_systems import switch, world_of

STEPS = 40
ON, OFF = Configuration.of({"x": True}), Configuration.of({"x": False})

flags = st.lists(st.booleans(), min_size=STEPS, max_size=STEPS).map(np.array)


def batch_after(known, room=100):
    """A batch, after steps of both configurations were measured."""
    samples = Samples(world_of([switch("x")], STEPS))
    demands = [SampleDemand(step, configuration) for configuration, steps in known.items() for step in steps]
    samples.hear(demands, [DemandResult(demand.step, demand.configuration, (1.0,)) for demand in demands])
    return Batch(samples, room, 1)


def wished(batch):
    return [(demand.configuration, demand.step) for demand in batch.demands]


@given(is_open=flags, taken=flags)
def test_the_farthest_step_is_open_and_none_is_farther(is_open, taken):
    distance, step = farthest(is_open, taken)

    known = np.flatnonzero(taken)
    distances = {
        int(one): int(np.abs(known - one).min()) if len(known) else STEPS for one in np.flatnonzero(is_open)
    }
    assert distance == max(distances.values(), default=0)
    if distance:
        assert distances[step] == distance


def test_the_largest_gaps_are_explored_first():
    batch = batch_after({ON: [0, 20, 39], OFF: [0, 39]})

    explore_steps(batch, [ON, OFF], 3)

    assert wished(batch) == [(OFF, 20), (ON, 10), (OFF, 10)]


def test_exploring_ends_where_nothing_is_open():
    batch = batch_after({ON: range(0, STEPS, 2), OFF: range(1, STEPS)})

    explore_steps(batch, [ON, OFF], 100)
    explore_steps(batch, [ON, OFF], 100)

    assert len(batch.demands) == STEPS // 2 + 1


def test_a_step_is_unsure_between_the_average_and_a_deviation_above_it():
    likelihood = np.array([0.0] * 6 + [0.1, 0.15, 0.25, 0.5])  # average .1, deviation .155

    assert np.flatnonzero(is_unsure(likelihood)).tolist() == [7, 8]


def test_unsure_steps_are_taken_in_turn_and_only_these():
    likelihood = np.array([0.0] * 6 + [0.1, 0.15, 0.25, 0.5])
    batch = batch_after({ON: [17], OFF: [0]})

    exploit_steps(batch, {ON: (10, likelihood), OFF: (0, likelihood)}, 10, Random(0))

    assert sorted(wished(batch), key=str) == sorted([(OFF, 7), (OFF, 8), (ON, 18)], key=str)


@given(budget=st.integers(0, 12), room=st.integers(0, 12), seed=st.integers(0, 9))
def test_neither_the_budget_nor_the_room_is_exceeded(budget, room, seed):
    batch = batch_after({ON: [0], OFF: [39]}, room)
    likelihood = np.array([0.0] * 20 + [0.04] * 10 + [0.06] * 10)

    exploit_steps(batch, {ON: (0, likelihood), OFF: (0, likelihood)}, budget, Random(seed))
    explore_steps(batch, [ON, OFF], budget)

    assert len(batch.demands) <= min(2 * budget, room)
    assert len(set(wished(batch))) == len(batch.demands)
