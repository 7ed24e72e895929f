"""The truth of some scenarios, tried by running them; `python -m studies.impact.truth` tries all."""

import pytest

from studies.impact.instructions import Count, Counts
from studies.impact.truth import Effect, measure, mistakes
from tests.programs.scenarios import read_scenario, read_scenarios


@pytest.mark.needs("valgrind", "clang-19")
@pytest.mark.parametrize("name", ["inter_impl", "deletion_only", "identity"])
def test_the_truth_is_true(name, tmp_path):
    scenario = read_scenario(name)

    effects = measure(scenario, Counts(tmp_path / "counts.jsonl"), tmp_path)

    assert mistakes(scenario, effects) == []


def test_a_wrong_truth_is_noticed():
    scenario = read_scenario("running_example")
    effects = [
        Effect(each, made_up_count(10_000), made_up_count(30_000 + 50_000 * bool(each.chosen["verbose"])))
        for each in scenario.space.configurations()
    ]

    found = mistakes(scenario, effects)

    assert found == ["the effect depends on ['verbose']", "the effect depends on ['verbose'] alone"]


def made_up_count(total: int) -> Count:
    return Count(total, {}, (), 0, "")


def test_every_scenario_of_the_paper_is_there():
    found = {each.name: each for each in read_scenarios()}

    assert (found["func_single"].configurations, found["func_single"].total) == (2, 8)
    assert (found["deg_low"].configurations, found["deg_low"].total) == (2, 1024)
    assert (found["deg_high"].configurations, found["deg_high"].total) == (1024, 1024)
    assert (found["deg_complex"].configurations, found["deg_complex"].total) == (20, 320)
    assert [len(found[f"func_accum_{at}"].related) for at in (1, 2, 3)] == [1, 2, 3]
    assert [len(found[f"func_multi_{at}"].related) for at in (1, 2, 3)] == [2, 0, 2]


def test_a_scenario_that_reaches_nothing_has_nothing_to_measure():
    for scenario in read_scenarios():
        assert bool(scenario.configurations) is scenario.is_relevant
        assert set(scenario.related) <= set(scenario.space.option)
