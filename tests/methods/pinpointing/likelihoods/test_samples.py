"""What was heard."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.samples import Samples
from sonde.methods.pinpointing.search import DemandResult, SampleDemand
from tests.methods.pinpointing.likelihoods.made_systems import switch, world_of

ON, OFF = Configuration.of({"x": True}), Configuration.of({"x": False})
WORLD = world_of([switch("x")], 10)


def heard(*answers, world=WORLD):
    samples = Samples(world)
    samples.hear([SampleDemand(one.step, one.configuration) for one in answers], answers)
    return samples


def test_a_point_has_the_median_of_its_samples():
    (course,) = heard(DemandResult(7, ON, (3.0, 1.0, 2.0)), DemandResult(2, ON, (5.0,))).courses

    assert course.measured.tolist() == [2, 7]
    assert course.values.tolist() == [5.0, 2.0]


def test_what_failed_is_absent_but_not_open():
    samples = heard(DemandResult(7, ON, ()), DemandResult(2, ON, (5.0,)))

    assert samples.courses[0].measured.tolist() == [2]
    assert np.flatnonzero(~samples.is_open(ON)).tolist() == [2, 7]
    assert samples.is_open(OFF).all()


def test_a_revision_that_does_not_build_is_avoided_by_all():
    samples = heard(DemandResult(7, ON, (), is_whole_revision=True))

    assert np.flatnonzero(~samples.is_open(OFF)).tolist() == [7]
    assert samples.courses == []


def test_the_configuration_that_answered_counts_and_the_other_is_not_asked_again():
    samples = Samples(WORLD)
    samples.hear([SampleDemand(4, ON)], [DemandResult(4, OFF, (1.0,))])

    assert [course.configuration for course in samples.courses] == [OFF]
    assert not samples.is_open(ON)[4]
    assert not samples.is_open(OFF)[4]
    assert samples.points == 1


def test_a_configuration_is_open_only_where_it_exists():
    samples = Samples(replace(WORLD, life=lambda one: (6, 99) if one["x"] else (-1, 3)))

    assert np.flatnonzero(samples.is_open(ON)).tolist() == [6, 7, 8, 9]
    assert np.flatnonzero(samples.is_open(OFF)).tolist() == [0, 1, 2]


def test_noise_is_told_from_repeats_alone():
    assert heard(DemandResult(1, ON, (1.0,))).noise is None
    assert heard(DemandResult(1, ON, (1.0, 1.0), is_repeatable=False)).noise is None
    repeated = heard(DemandResult(1, ON, (0.99, 1.01)), DemandResult(2, OFF, (198.0, 202.0)))
    assert repeated.noise == pytest.approx(0.01 * 2**0.5, rel=1e-3)
