from __future__ import annotations

import pytest

import sonde
from sonde.core.results import Metric
from tests.real.subjects import FIRST, make_subject, write_project


@pytest.mark.needs("git", "bwrap")
def test_a_script_can_plan_measure_and_look_up(tmp_path):
    write_project(tmp_path)
    make_subject(tmp_path)
    session = sonde.open(tmp_path)

    assert session.plan("HEAD~2..").runs == 6
    measured = session.measure("HEAD~2..", runs=1)

    assert measured.spent.runs == 2  # the other one fails
    shown = session.show("HEAD~2..")
    assert shown.results == measured.survey.results
    assert shown.metrics == {"work": Metric.CPU}
    assert len(session.show().history) == 8
    assert session.show().value(next(iter(session.show().points()))) is None
    assert session.show().history[FIRST].subject == "Begin"
