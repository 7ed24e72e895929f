"""Questions and trials: what is measured next to a boundary to learn more about its term."""

from __future__ import annotations

import numpy as np
import pytest

from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.alphabet import term_holds
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.probing.questions import PATIENCE, ask
from sonde.methods.pinpointing.shared_steps.probing.trials import confirm, show, shrink, verify
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACE = Space(switches(6))
STEPS, CHANGE = 30, 15


class Subject:
    """Steps where all of some options are on; a value is never the same twice if there is noise."""

    def __init__(self, names, noise=0.0, is_repeatable=True):
        self._names = names
        self._noise = noise
        self._rng = np.random.default_rng(3)
        self._is_repeatable = is_repeatable

    def answer(self, step, configuration, runs=1):
        does_step = step >= CHANGE and all(configuration[name] for name in self._names)
        values = tuple(
            (1.5 if does_step else 1.0) * float(np.exp(self._rng.normal(0, self._noise))) for _ in range(runs)
        )
        return DemandResult(step, configuration, values, self._is_repeatable)

    def known(self, *texts, runs=2):
        return knowledge_of(
            SPACE,
            [self.answer(step, SPACE.parse(text), runs) for text in texts for step in range(0, STEPS, 2)],
            STEPS,
        )

    def play(self, program):
        """Answer all demands; what they were, and what the part of the search says."""
        demands = []
        try:
            batch = next(program)
            while True:
                demands += batch
                batch = program.send(
                    [self.answer(demand.step, demand.configuration, demand.runs) for demand in batch]
                )
        except StopIteration as end:
            return demands, end.value


def attributed(knowledge):
    boundary = Boundary(CHANGE, CHANGE)
    knowledge.boundaries.append(boundary)
    knowledge.attribute(boundary)
    return boundary


def entropy(boundary):
    return -sum(share * np.log2(share) for _, share in boundary.terms if share > 0)


@pytest.mark.parametrize("noise", [0.0, 0.01, 0.03])
def test_a_question_is_asked_on_both_sides_in_one_configuration_and_tells_something(noise):
    subject = Subject(["o2"], noise)
    knowledge = subject.known("default", "o0,o1,o2,o3,o4,o5")
    boundary = attributed(knowledge)
    before = entropy(boundary)

    demands, asked = subject.play(ask(knowledge, [boundary]))
    knowledge.attribute(boundary)

    assert len({demand.configuration for demand in demands}) == 1
    assert {demand.step >= CHANGE for demand in demands} == {False, True}
    assert all(abs(demand.step - CHANGE) <= 9 for demand in demands)
    assert asked[boundary] > 0
    assert entropy(boundary) < before


def test_questions_lead_to_the_term():
    subject = Subject(["o2", "o4"], 0.01)
    knowledge = subject.known("default", "o0,o1,o2,o3,o4,o5")
    boundary = attributed(knowledge)

    asked = 0
    while boundary.confidence < 0.97 and asked < 20:
        subject.play(ask(knowledge, [boundary]))
        knowledge.attribute(boundary)
        asked += 1

    assert {str(literal) for literal in knowledge.alphabet.term(boundary.guess)} == {"o2", "o4"}
    assert asked < 15


def test_where_all_is_known_there_is_no_question():
    subject = Subject(["o2"])
    knowledge = subject.known(*(str(each) for each in SPACE.configurations()))

    assert subject.play(ask(knowledge, [attributed(knowledge)])) == ([], {})


def test_verifying_tries_the_step_without_what_all_that_step_share():
    subject = Subject(["o2"])
    knowledge = subject.known("default", "o2,o3,o4", "o2,o3")
    boundary = attributed(knowledge)
    boundary.guess = (list(map(str, knowledge.alphabet.literals)).index("o2"),)

    demands, runs = subject.play(verify(knowledge, boundary))

    (tried,) = {demand.configuration for demand in demands}
    assert runs > 0
    assert tried["o2"]
    assert not tried["o3"]
    assert all(tried[name] for name in ("o0", "o1", "o5"))


def test_where_nothing_steps_there_is_nothing_to_verify():
    subject = Subject(["o2"])
    knowledge = subject.known("default", "o3")

    assert subject.play(verify(knowledge, attributed(knowledge))) == ([], 0)


def test_shrinking_takes_literals_away_from_the_smallest_that_steps():
    subject = Subject(["o1", "o2", "o3", "o4"])
    knowledge = subject.known("default", "o0,o1,o2,o3,o4,o5", "o1,o2,o3,o4,o5")
    boundary = attributed(knowledge)

    demands, runs = subject.play(shrink(knowledge, boundary))

    (tried,) = {demand.configuration for demand in demands}
    on = {literal.option for literal in tried if literal.value}
    assert runs > 0
    assert on < {"o1", "o2", "o3", "o4", "o5"}


def test_what_has_no_two_literals_cannot_shrink():
    subject = Subject(["o1"])
    knowledge = subject.known("default", "o1")

    assert subject.play(shrink(knowledge, attributed(knowledge))) == ([], 0)


def test_a_boundary_that_no_short_term_explains_is_shrunk_every_other_time():
    subject = Subject(["o1", "o2", "o3", "o4"])
    knowledge = subject.known("default", "o0,o1,o2,o3,o4,o5")
    boundary = attributed(knowledge)
    boundary.questions, boundary.terms = PATIENCE, [((), 0.3), *boundary.terms]

    demands, asked = subject.play(ask(knowledge, [boundary]))

    (tried,) = {demand.configuration for demand in demands}
    assert sum(bool(literal.value) for literal in tried) == 5  # about a fifth of its six is taken away
    assert list(asked) == [boundary]


@pytest.mark.parametrize(("noise", "runs"), [(0.0, 3), (0.01, 6)])
def test_a_suspicion_is_confirmed_where_it_shows_best(noise, runs):
    subject = Subject(["o2"], noise)
    knowledge = subject.known("default", "o2")

    demands, is_new = subject.play(confirm(knowledge, attributed(knowledge)))

    assert is_new
    assert {demand.configuration for demand in demands} == {SPACE.parse("o2")}
    assert {demand.step >= CHANGE for demand in demands} == {False, True}
    assert max(demand.runs for demand in demands) <= runs


def test_a_suspicion_in_a_recording_is_confirmed_by_the_most_alike():
    subject = Subject(["o2"], 0.01, is_repeatable=False)
    knowledge = subject.known("default", "o2", runs=1)

    demands, is_new = subject.play(confirm(knowledge, attributed(knowledge)))

    assert is_new
    tried = {demand.configuration for demand in demands}
    assert len(tried) == 2
    assert not tried & {SPACE.default, SPACE.parse("o2")}
    assert all(sum(bool(literal.value) for literal in each) <= 2 for each in tried)


def test_a_change_is_shown_in_the_smallest_configuration_with_its_term():
    subject = Subject(["o2", "o4"], 0.02)
    knowledge = subject.known("default", "o0,o1,o2,o3,o4,o5")
    boundary = attributed(knowledge)
    boundary.term = tuple(
        index for index, literal in enumerate(knowledge.alphabet.literals) if str(literal) in ("o2", "o4")
    )

    demands, is_new = subject.play(show(knowledge, boundary))

    assert is_new
    assert SPACE.parse("o2,o4") in {demand.configuration for demand in demands}
    held = knowledge.alphabet.holds(np.array([knowledge.alphabet.row(SPACE.parse("o2,o4"))]))
    assert term_holds(held, boundary.term).all()
