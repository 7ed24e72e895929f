"""Where something seems to change."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.probing.suspicion import suspects
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACE = Space(switches(3))
STEPS = 60
PLACES = (0, 10, 20, 30, 40, 50, 59)


def measured(change=None, names=(), factor=1.3, noise=0.0, seed=0, places=PLACES, is_repeatable=True):
    """All configurations at a few steps; those in which all of `names` are on change."""
    rng = Random(seed)
    return [
        DemandResult(
            step,
            each,
            tuple(
                (factor if change is not None and step >= change and all(each[one] for one in names) else 1.0)
                * rng.lognormvariate(0, noise)
                for _ in range(3)
            ),
            is_repeatable,
        )
        for each in SPACE.configurations()
        for step in places
    ]


def shown(knowledge, boundary):
    return " ".join(str(knowledge.alphabet.literals[index]) for index in boundary.guess)


@settings(max_examples=40)
@given(
    change=st.integers(1, STEPS - 1),
    names=st.sets(st.sampled_from(["o0", "o1", "o2"]), max_size=1),
    factor=st.sampled_from([0.8, 1.2, 2.0]),
    noise=st.sampled_from([0.0, 0.01]),
)
def test_a_change_is_suspected_in_the_gap_around_it_and_nowhere_more(change, names, factor, noise):
    knowledge = knowledge_of(SPACE, measured(change, names, factor, noise), STEPS)

    first, *_ = suspects(knowledge)

    assert first.earliest == max(step for step in PLACES if step < change) + 1
    assert first.latest == min(step for step in PLACES if step >= change)
    assert first.origin == (first.earliest, first.latest)
    assert shown(knowledge, first) == " ".join(names)
    assert first.log_odds > 3


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
@pytest.mark.parametrize("seed", range(5))
def test_where_nothing_changes_nothing_is_suspected(noise, seed):
    knowledge = knowledge_of(SPACE, measured(noise=noise, seed=seed), STEPS)

    assert suspects(knowledge) == []


def test_a_pair_is_seen_through_noise():
    knowledge = knowledge_of(SPACE, measured(25, ["o0", "o2"], noise=0.01), STEPS)

    assert shown(knowledge, suspects(knowledge)[0]) == "o0 o2"


def test_what_is_smaller_than_the_threshold_is_not_suspected():
    for factor, is_suspected in ((1.02, False), (1.06, True)):
        knowledge = knowledge_of(SPACE, measured(25, ["o0"], factor), STEPS)
        assert bool(suspects(knowledge)) == is_suspected


def test_what_a_boundary_explains_is_not_suspected_again():
    knowledge = knowledge_of(SPACE, measured(25, ["o0"]), STEPS)
    literal = list(map(str, knowledge.alphabet.literals)).index("o0")
    knowledge.boundaries.append(Boundary(21, 30, term=(literal,)))

    assert suspects(knowledge) == []


def test_what_a_boundary_of_another_term_does_not_explain_is_suspected():
    knowledge = knowledge_of(SPACE, measured(25, ["o0"]), STEPS)
    literal = list(map(str, knowledge.alphabet.literals)).index("o1")
    knowledge.boundaries.append(Boundary(21, 30, term=(literal,)))

    assert shown(knowledge, suspects(knowledge)[0]) in ("o0", "o0 !o1")


def test_the_clearest_comes_first_and_once_it_is_explained_the_next():
    answers = [
        DemandResult(
            each.step,
            each.configuration,
            tuple(value * (1.1 if each.step >= 50 else 1.0) for value in each.values),
        )
        for each in measured(15, (), 1.5)
    ]
    knowledge = knowledge_of(SPACE, answers, STEPS)

    large, *_ = suspects(knowledge)
    large.term = ()
    knowledge.boundaries.append(large)
    small, *_ = suspects(knowledge)

    assert (large.earliest, large.latest) == (11, 20)
    assert (small.earliest, small.latest) == (41, 50)


def test_a_gap_that_is_twice_as_wide_is_twice_as_likely_to_hold_a_change():
    narrow, wide = (
        suspects(knowledge_of(SPACE, measured(3 * gap, ["o0"], places=range(0, 7 * gap, gap)), STEPS))[0]
        for gap in (4, 8)
    )

    assert wide.log_odds - narrow.log_odds == pytest.approx(log(2))


def test_from_one_step_nothing_can_be_suspected():
    knowledge = knowledge_of(SPACE, measured(places=(7,)), STEPS)

    assert suspects(knowledge) == []


def test_one_configuration_of_a_recording_is_not_enough():
    """It may step for no reason at all, whereas one that was repeated does not."""

    def answers(is_repeatable):
        odd = SPACE.parse("o0,o1")
        return [
            *(each for each in measured(is_repeatable=is_repeatable) if each.configuration != odd),
            *(DemandResult(step, odd, (1.0 if step < 25 else 1.3,), is_repeatable) for step in PLACES),
        ]

    assert suspects(knowledge_of(SPACE, answers(True), STEPS))
    assert not suspects(knowledge_of(SPACE, answers(False), STEPS))
