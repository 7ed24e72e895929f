"""A run of an oracle is a positive number, or a failure."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from sonde.core.options import Configuration
from sonde.core.results import Failed, Stage
from sonde.effects.oracles import Oracle

BOTH = Configuration.of({"a": True, "b": False})


def run(value, revision=3):
    return Oracle("one", (), (1, 3), value).run(revision, BOTH, Random(2))


def test_it_is_given_the_revision_what_is_on_and_the_generator():
    seen = []

    def value(*given):
        seen.append(given)
        return 1.5

    assert run(value) == 1.5
    ((revision, selected, rng),) = seen
    assert (revision, selected) == (3, frozenset({"a"}))
    assert rng.random() == Random(2).random()


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), Fraction(2)])
def test_numbers_of_every_kind_are_numbers(value):
    found = run(lambda *_: value)

    assert found == 2.0
    assert type(found) is float


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (float("nan"), "returned nan, which is not positive and finite"),
        (float("inf"), "returned inf"),
        (0, "returned 0.0"),
        (-1.5, "returned -1.5"),
        (None, "returned None, which is not a number"),
        ("3", "returned '3', which is not a number"),
        (True, "returned True, which is not a number"),
        (1j, "returned 1j, which is not a number"),
        ([1.0] * 1000, "..., which is not a number"),
        (10**400, "raised OverflowError"),
    ],
)
def test_what_is_not_positive_and_finite_is_a_failure(value, said):
    failed = run(lambda *_: value)

    assert isinstance(failed, Failed)
    assert failed.stage is Stage.RUN
    assert said in failed.reason
    assert len(failed.reason) < 300


def test_an_exception_is_a_failure_with_its_text():
    def value(*_):
        raise ValueError("revision 3\ndoes not exist.")

    failed = run(value)

    assert isinstance(failed, Failed)
    assert failed.reason == "The oracle raised ValueError: revision 3 does not exist."
    assert failed.output == "revision 3\ndoes not exist."


def test_a_wish_to_stop_is_not_swallowed():
    def value(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(value)
