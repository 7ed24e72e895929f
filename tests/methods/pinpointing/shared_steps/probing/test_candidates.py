"""Configurations that may tell which literals a step needs."""

from __future__ import annotations

import pytest

from sonde.core.options import Option
from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.alphabet import term_holds
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.probing.candidates import (
    away_from,
    candidates,
    relatives,
    stepping,
)
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

FEW = Space(switches(4))
MANY = Space((*switches(12), Option("level", (1, 5, 9), 5)))
CONSTRAINED = Space.of(switches(14), ["at most one of o0, o1, o2, o3", "o5 requires o6"])
STEPS = 20


def known(space, term, at=10, texts=("default",), settings=SearchSettings()):  # noqa: B008 - it is frozen
    """Some configurations over the whole history, that step where the term holds."""
    configurations = [space.parse(text) for text in texts]
    answers = [
        DemandResult(step, each, (1.5 if step >= at and all(each[name] for name in term) else 1.0,))
        for each in configurations
        for step in range(STEPS)
    ]
    return knowledge_of(space, answers, STEPS, settings=settings)


def attributed(knowledge, at=10):
    boundary = Boundary(at, at)
    knowledge.boundaries.append(boundary)
    knowledge.attribute(boundary)
    return boundary


def index_of(knowledge, literal):
    return list(map(str, knowledge.alphabet.literals)).index(literal)


def test_of_few_configurations_all_are_candidates():
    knowledge = known(FEW, ["o0"])

    rows = candidates(knowledge, [attributed(knowledge)])

    assert len(rows) == 16


def test_a_configuration_that_never_ran_is_no_candidate():
    knowledge = known(FEW, ["o0"])
    broken = FEW.parse("o1,o2")
    knowledge.sheet.hear([DemandResult(step, broken, ()) for step in range(3)])

    rows = candidates(knowledge, [attributed(knowledge)])

    assert len(rows) == 15
    assert broken not in [knowledge.alphabet.configuration(row) for row in rows]


@pytest.mark.parametrize("space", [MANY, CONSTRAINED])
def test_candidates_are_valid_and_tell_the_likely_terms_apart(space):
    """For any two of the likeliest terms there is one in which only one of both holds."""
    knowledge = known(space, ["o6"], texts=("default", "o6,o7,o8,o9", "o10,o11"))
    boundary = attributed(knowledge)

    rows = candidates(knowledge, [boundary])

    assert len({row.tobytes() for row in rows}) == len(rows)
    assert all(space.is_valid(knowledge.alphabet.configuration(row)) for row in rows)
    lines = [knowledge.alphabet.holds(row[None]) for row in rows]
    best = [term for term, _ in boundary.terms[:6]]
    assert len(best) > 3
    for place, one in enumerate(best):
        for other in best[place + 1 :]:
            assert any(term_holds(line, one)[0] != term_holds(line, other)[0] for line in lines)


def test_away_from_a_literal_is_the_lowest_one_or_any_other():
    knowledge = known(MANY, ["o0"])

    def named(literal):
        (other,) = away_from(knowledge, index_of(knowledge, literal))
        return str(knowledge.alphabet.literals[other])

    assert named("o3") == "!o3"
    assert named("!o3") == "o3"
    assert named("level=9") == "level=5"
    assert named("level=5") in ("level=1", "level=9")


def test_there_is_nothing_away_from_the_only_value():
    knowledge = knowledge_of(Space((Option("a", (True,), True),)))

    assert away_from(knowledge, 0) == []


def test_those_that_step_come_with_the_fewest_further_literals_first():
    knowledge = known(FEW, ["o0"], texts=("default", "o0,o1,o2,o3", "o0,o1,o2", "o0,o1", "o0,o3", "o1,o2"))

    rows = stepping(knowledge, attributed(knowledge))

    assert [str(knowledge.alphabet.configuration(row)) for row in rows] == [
        "o0,o1,!o2,!o3",
        "o0,!o1,!o2,o3",
        "o0,o1,o2,!o3",
    ]


def test_where_nothing_steps_there_are_none():
    knowledge = known(FEW, ["o0"], texts=("default", "o1"))

    assert stepping(knowledge, attributed(knowledge)) == []


@pytest.mark.parametrize("settings", [SearchSettings(), SearchSettings(enumerable=1)])
def test_relatives_are_the_most_alike_whose_step_is_not_known(settings):
    knowledge = known(FEW, ["o0"], texts=("default", "o0", "o1"), settings=settings)
    boundary = attributed(knowledge)
    row = knowledge.alphabet.row(FEW.parse("o0"))

    rows = relatives(knowledge, row, knowledge.steps(boundary))

    measured = {FEW.parse(text) for text in ("default", "o0", "o1")}
    found = [knowledge.alphabet.configuration(each) for each in rows]
    assert not measured & set(found)
    differing = [int((each != row).sum()) for each in rows]
    assert differing == sorted(differing)
    assert differing[0] == 1
    assert {str(each) for each in found[:3]} == {"o0,o1,!o2,!o3", "o0,!o1,o2,!o3", "o0,!o1,!o2,o3"}
