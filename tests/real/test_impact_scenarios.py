"""What the analysis says about small programs whose truth is known."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from sonde.core.options import Configuration
from sonde.methods.impact.question import AnalysisSettings, Answer
from sonde.space.expressions import holds
from sonde.space.parser import parse
from studies.impact.answering import told
from tests.programs.asking import ask, reduced, related_in
from tests.programs.scenarios import NEVER, Scenario, read_scenarios

SCENARIOS = read_scenarios()

pytestmark = pytest.mark.needs("clang-19")


@pytest.fixture(scope="module")
def answer_about(tmp_path_factory) -> Callable[[Scenario], Answer]:
    """Ask about a scenario, once."""
    known: dict[str, Answer] = {}

    def ask_once(scenario: Scenario) -> Answer:
        if scenario.name not in known:
            known[scenario.name] = ask(scenario, tmp_path_factory.mktemp(scenario.name))
        return known[scenario.name]

    return ask_once


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_the_answer_is_the_truth(scenario, answer_about):
    found = answer_about(scenario)

    assert not found.warnings
    assert found.is_relevant is scenario.is_relevant, scenario.about
    related = related_in(found)
    assert set(scenario.related) <= related, scenario.about
    assert related <= {*scenario.related, *scenario.allowed}, scenario.about
    if scenario.is_relevant and not scenario.allowed:
        assert reduced(scenario.space, related) == scenario.configurations


@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if each.slower != NEVER], ids=lambda each: each.name
)
def test_a_configuration_that_gets_slower_is_measured(scenario, answer_about):
    found = answer_about(scenario)

    few = told(found).configurations(scenario.space)
    assert any(_is_slower(scenario, each) for each in few), scenario.about


@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if each.measured is not None], ids=lambda each: each.name
)
def test_what_is_known_of_values_leaves_few_to_measure(scenario, answer_about):
    found = answer_about(scenario)

    said = told(found)
    without_pairs = replace(said, behind=()) if said.related else said
    assert len(without_pairs.configurations(scenario.space)) == scenario.measured, scenario.about


def _is_slower(scenario: Scenario, configuration: Configuration) -> bool:
    return not scenario.slower or holds(parse(scenario.slower, scenario.space.options), configuration.chosen)


@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if each.is_relevant], ids=lambda each: each.name
)
def test_a_witness_leads_from_the_change_to_hot_code(scenario, answer_about):
    for each in answer_about(scenario).interactions:
        assert each.hot_routine in (*scenario.hot, *scenario.called)
        assert each.path
        assert all(step.place.line > 0 and step.words for step in each.path)


@pytest.mark.parametrize(
    "scenario",
    [each for each in SCENARIOS if each.conservative != each.related],
    ids=lambda each: each.name,
)
def test_conservative_answers_keep_uses_that_only_read(scenario, tmp_path):
    found = ask(scenario, tmp_path, AnalysisSettings(is_conservative=True))

    assert related_in(found) == set(scenario.conservative)
