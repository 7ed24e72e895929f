"""What parts of the search share: what is asked for, and what follows from what was heard."""

from __future__ import annotations

from dataclasses import replace
from math import log
from random import Random

import pytest

from sonde.methods.pinpointing.search import DemandResult, SampleDemand, SearchProblem
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.findings import findings
from sonde.methods.pinpointing.shared_steps.probing.narrowing import narrow_fully
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_searches import switches
from tests.methods.pinpointing.shared_steps.made_sheets import knowledge_of

SPACE = Space(switches(3))
STEPS = 40
WORLD = SearchProblem(STEPS, SPACE, lambda each: (10, STEPS) if each["o2"] else (0, STEPS))


def wished(knowledge, wanted, answer=None):
    """What is wished for, and whether anything new came of it."""
    program = knowledge.measure(wanted)
    try:
        demands = next(program)
    except StopIteration as end:
        return [], end.value
    answer = answer or (lambda demand: DemandResult(demand.step, demand.configuration, (1.0,) * demand.runs))
    with pytest.raises(StopIteration) as end_of_it:
        program.send([answer(demand) for demand in demands])
    return list(demands), end_of_it.value.value


def test_points_outside_of_a_life_are_not_wished_for():
    knowledge = Knowledge(WORLD, SearchSettings())

    demands, _ = wished(
        knowledge, [(knowledge.highest, 9, 1), (knowledge.highest, 10, 1), (knowledge.lowest, STEPS, 1)]
    )

    assert [(demand.step, demand.configuration["o2"]) for demand in demands] == [(10, True)]


def test_a_point_is_wished_for_once_with_the_most_runs():
    knowledge = Knowledge(WORLD, SearchSettings())

    demands, is_new = wished(knowledge, [(knowledge.lowest, 3, runs) for runs in (2, 5, 1)])

    assert demands == [SampleDemand(3, SPACE.default, 5)]
    assert is_new


@pytest.mark.parametrize(
    ("fewest", "most", "wanted", "expected"), [(1, 64, 99, 64), (5, 64, 2, 5), (5, 3, 9, 5), (1, 1, 8, 1)]
)
def test_runs_stay_within_what_the_world_allows(fewest, most, wanted, expected):
    knowledge = Knowledge(replace(WORLD, runs=fewest, most_runs=most), SearchSettings())

    demands, _ = wished(knowledge, [(knowledge.lowest, 3, wanted)])

    assert [demand.runs for demand in demands] == [expected]


def test_what_is_known_or_fails_is_not_wished_for():
    known = [
        DemandResult(3, SPACE.default, (1.0, 1.0)),
        DemandResult(5, SPACE.default, (), is_whole_revision=True),
    ]
    knowledge = knowledge_of(SPACE, known, world=WORLD)

    demands, is_new = wished(knowledge, [(knowledge.lowest, 3, 2), (knowledge.highest, 5, 1)])

    assert (demands, is_new) == ([], False)


def test_a_recording_is_not_asked_twice():
    knowledge = knowledge_of(
        SPACE, [DemandResult(3, SPACE.default, (1.0,), is_repeatable=False)], world=WORLD
    )

    demands, _ = wished(knowledge, [(knowledge.lowest, 3, 8), (knowledge.lowest, 4, 8)])

    assert [demand.step for demand in demands] == [4]


def test_failures_are_nothing_new():
    knowledge = Knowledge(WORLD, SearchSettings())

    _, is_new = wished(
        knowledge,
        [(knowledge.lowest, 3, 1)],
        lambda demand: DemandResult(demand.step, demand.configuration, ()),
    )

    assert not is_new
    assert not knowledge.sheet.is_open(knowledge.lowest, 3)


def measured(change, name, factor=1.4, noise=0.0):
    rng = Random(7)
    return [
        DemandResult(
            step,
            each,
            tuple(
                (factor if step >= change and each[name] else 1.0) * rng.lognormvariate(0, noise)
                for _ in range(2)
            ),
        )
        for each in SPACE.configurations()
        for step in range(STEPS)
    ]


def attributed(knowledge, boundary):
    knowledge.boundaries.append(boundary)
    knowledge.attribute(boundary)
    return boundary


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_boundary_is_attributed_to_what_steps(noise):
    knowledge = knowledge_of(SPACE, measured(20, "o1", noise=noise), STEPS)

    boundary = attributed(knowledge, Boundary(20, 20))

    assert {str(literal) for literal in knowledge.alphabet.term(boundary.guess)} == {"o1"}
    assert boundary.confidence > 0.9
    assert boundary.log_odds > 20
    assert sum(share for _, share in boundary.terms) == pytest.approx(1)
    assert knowledge.affected(boundary).sum() == 4


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_where_nothing_steps_there_is_no_change(noise):
    knowledge = knowledge_of(SPACE, measured(20, "o1", noise=noise), STEPS)
    change = attributed(knowledge, Boundary(20, 20))
    change.term = change.guess

    assert attributed(knowledge, Boundary(9, 9)).log_odds < 0
    assert attributed(knowledge, Boundary(30, 30)).log_odds < 0


def test_in_a_history_twice_as_long_a_change_at_one_step_is_half_as_likely():
    short, long = (
        attributed(knowledge_of(SPACE, measured(20, "o1"), steps), Boundary(20, 20))
        for steps in (STEPS, 2 * STEPS)
    )

    assert short.log_odds - long.log_odds == pytest.approx(log(2))


def test_terms_that_were_likely_are_weighed_again():
    knowledge = knowledge_of(SPACE, measured(20, "o1"), STEPS)
    boundary = attributed(knowledge, Boundary(20, 20))
    before = dict(boundary.terms)

    knowledge.attribute(boundary, anew=False)

    assert dict(boundary.terms) == pytest.approx(before)


def test_a_boundary_is_narrowed_by_those_that_it_affects():
    knowledge = knowledge_of(SPACE, measured(20, "o1"), STEPS)
    boundary = attributed(knowledge, Boundary(11, 30))

    assert knowledge.narrow(boundary)
    assert (boundary.earliest, boundary.likeliest, boundary.latest) == (20, 20, 20)


def test_a_finding_says_what_was_measured():
    knowledge = knowledge_of(SPACE, measured(20, "o1", factor=0.7), STEPS)
    boundary = attributed(knowledge, Boundary(20, 20))
    boundary.term, boundary.likeliest = boundary.guess, 20

    (finding,) = findings(knowledge)

    assert (finding.position, finding.earliest, finding.latest) == (20, 20, 20)
    assert {str(literal) for literal in finding.term} == {"o1"}
    assert finding.effect == pytest.approx(log(0.7))
    assert finding.effect_low <= finding.effect <= finding.effect_high
    assert finding.shown_in["o1"]
    assert finding.configurations == 8
    assert 0.9 < finding.probability <= 1


@pytest.mark.parametrize(("factor", "count"), [(1.04, 0), (1.06, 1), (0.97, 0), (0.9, 1)])
def test_what_is_smaller_than_the_threshold_is_not_told(factor, count):
    knowledge = knowledge_of(SPACE, measured(20, "o1", factor), STEPS)
    boundary = attributed(knowledge, Boundary(20, 20))
    boundary.term = boundary.guess

    assert len(findings(knowledge)) == count


def test_what_may_well_be_noise_is_not_told():
    """A few runs with 5 % of noise, that happen to differ by more than the threshold."""
    values = {3: (1.0, 1.1), 4: (0.95, 1.05), 20: (1.1, 1.2), 21: (1.05, 1.1)}
    knowledge = knowledge_of(
        SPACE, [DemandResult(step, SPACE.default, runs) for step, runs in values.items()], STEPS
    )
    boundary = attributed(knowledge, Boundary(5, 20))
    boundary.term = boundary.guess

    assert abs(knowledge.steps(boundary).height[0]) > log(1 + knowledge.world.threshold)
    assert boundary.log_odds < knowledge.settings.tell
    assert findings(knowledge) == ()


def test_findings_are_told_in_order():
    answers = [
        replace(each, values=tuple(value * (1.3 if each.step >= 8 else 1.0) for value in each.values))
        for each in measured(20, "o1")
    ]
    knowledge = knowledge_of(SPACE, answers, STEPS)
    for at in (20, 8):
        boundary = attributed(knowledge, Boundary(at, at))
        boundary.likeliest = at
    for boundary in knowledge.boundaries:
        knowledge.attribute(boundary)
        boundary.term = boundary.guess

    assert [finding.position for finding in findings(knowledge)] == [8, 20]


def test_a_boundary_is_narrowed_to_one_step_by_halving():
    change = 27
    answers = [
        DemandResult(step, each, (1.5 if step >= change and each["o1"] else 1.0,) * 2)
        for each in SPACE.configurations()
        for step in (0, STEPS - 1)
    ]
    knowledge = knowledge_of(SPACE, answers, STEPS)
    boundary = attributed(knowledge, Boundary(1, STEPS - 1))
    boundary.term = boundary.guess
    program, asked = narrow_fully(knowledge, boundary), 0
    heard = None
    try:
        while True:
            demands = next(program) if heard is None else program.send(heard)
            asked += len(demands)
            heard = [
                DemandResult(
                    demand.step, demand.configuration, (1.5 if demand.step >= change else 1.0,) * demand.runs
                )
                for demand in demands
            ]
            assert all(demand.configuration["o1"] for demand in demands)
    except StopIteration:
        pass

    assert boundary.is_exact
    assert boundary.earliest == change
    assert asked <= 6
