"""What the analysis says about small programs whose truth is known."""

import pytest

from sonde.core.impacts import Role
from sonde.methods.impact.answer import Settings
from tests.programs.asking import ask, reduced, related_in
from tests.programs.scenarios import Scenario, read_scenarios

SCENARIOS = read_scenarios()

pytestmark = pytest.mark.needs("clang-19")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_the_answer_is_the_truth(scenario: Scenario, tmp_path):
    found = ask(scenario, tmp_path)

    assert not found.warnings
    assert found.is_relevant is scenario.is_relevant, scenario.about
    related = related_in(found)
    assert set(scenario.related) <= related, scenario.about
    assert related <= {*scenario.related, *scenario.allowed}, scenario.about
    if scenario.is_relevant and not scenario.allowed:
        assert reduced(scenario.space, related) == scenario.configurations


@pytest.mark.parametrize(
    "scenario",
    [each for each in SCENARIOS if each.conservative != each.related],
    ids=lambda each: each.name,
)
def test_conservative_answers_keep_uses_that_only_read(scenario: Scenario, tmp_path):
    found = ask(scenario, tmp_path, Settings(is_conservative=True))

    assert related_in(found) == set(scenario.conservative)


@pytest.mark.parametrize(
    "scenario", [each for each in SCENARIOS if each.is_relevant], ids=lambda each: each.name
)
def test_a_witness_leads_from_the_change_to_hot_code(scenario: Scenario, tmp_path):
    found = ask(scenario, tmp_path)

    for each in found.interactions:
        assert each.hot_routine in scenario.hot
        assert each.path
        assert all(step.place.line > 0 and step.words for step in each.path)


def test_no_option_is_unknown(tmp_path):
    found = ask(SCENARIOS[0], tmp_path)

    assert all(each.role is not Role.UNKNOWN for each in found.options)
