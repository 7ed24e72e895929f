"""Our way to answer beside the paper's."""

import pytest

from sonde.methods.impact.question import AnalysisSettings
from studies.impact.answering import Told, ours, papers
from tests.programs.asking import question_about
from tests.programs.scenarios import read_scenario

pytestmark = pytest.mark.needs("clang-19")


def question(name, folder):
    return question_about(read_scenario(name), folder, AnalysisSettings())


def test_both_ways_find_an_explicit_flow(tmp_path):
    asked = question("inter_df", tmp_path)

    assert ours(asked) == papers(asked) == Told(True, ("feature",))


def test_the_papers_way_misses_an_option_that_decides_over_a_flag(tmp_path):
    asked = question("inter_impl", tmp_path)

    assert ours(asked).related == ("feature",)
    assert papers(asked) == Told(True, ())


def test_the_papers_way_misses_what_is_only_deleted(tmp_path):
    asked = question("deletion_only", tmp_path)

    assert ours(asked).related == ("quick",)
    assert not papers(asked).is_relevant


def test_the_papers_way_leaves_out_what_only_reads(tmp_path):
    assert papers(question("running_example", tmp_path)) == Told(True, ("strong",))
