"""What the analysis says about small Python programs whose truth is known."""

import pytest

from tests.python_programs.scenarios import ask, read_scenarios, related_in

SCENARIOS = read_scenarios()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: each.name)
def test_the_answer_is_the_truth(scenario):
    found = ask(scenario)

    assert not found.warnings
    assert found.is_relevant is scenario.is_relevant, scenario.about
    related = related_in(found) if found.is_relevant else set()
    assert scenario.related <= related, scenario.about
    assert related <= scenario.related | scenario.allowed, scenario.about
    for each in found.interactions:
        assert each.hot_routine in scenario.hot
        assert each.path
        assert all(step.place.line > 0 and step.words for step in each.path)
