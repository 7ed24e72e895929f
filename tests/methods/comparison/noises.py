"""Pairs of runs with known truth, under noise of several kinds."""

from __future__ import annotations

from math import exp

import numpy as np


def normal(rng, size, noise):
    return rng.normal(0, noise, (size, 2))


def heavy(rng, size, noise):
    """Student's distribution with three degrees of freedom, scaled to this deviation."""
    return rng.standard_t(3, (size, 2)) * noise / 3**0.5


def bursts(rng, size, noise):
    """Quiet, but now and then one run is held up."""
    is_hit = rng.random((size, 2)) < 0.15
    return rng.normal(0, noise / 2, (size, 2)) + is_hit * rng.exponential(2 * noise, (size, 2))


def drift(rng, size, noise):
    """The machine gets slower and faster, for a few pairs at a time as well."""
    wander = np.cumsum(rng.normal(0, noise / 2, 2 * size)).reshape(size, 2)
    is_hit = np.repeat(rng.random(size // 5 + 1) < 0.3, 5)[:size, None]
    return wander + is_hit * rng.exponential(noise, (size, 2)) + rng.normal(0, noise / 2, (size, 2))


def first_is_slower(rng, size, noise):
    """The first run of a pair warms something up; which side that is, is drawn."""
    made = rng.normal(0, noise / 5, (size, 2))
    made[np.arange(size), rng.integers(0, 2, size)] += noise
    return made


def states(rng, size, noise):
    """A run is in one of two states, as the layout of memory falls out."""
    return rng.choice([0, 2 * noise], (size, 2), p=[0.7, 0.3]) + rng.normal(0, noise / 10, (size, 2))


KINDS = (normal, heavy, bursts, drift, first_is_slower, states)


def pairs_of(kind, rng, size, noise, effect=0.0):
    """So many pairs of runs whose head takes exp(effect) times the base."""
    made = kind(rng, size, noise)
    return [(exp(base), exp(head + effect)) for base, head in made.tolist()]
