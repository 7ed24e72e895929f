"""What a planner made of a recording, as text and as JSON."""

import json
from dataclasses import replace

from sonde.core.findings.histories import ChangePoint, Estimate, Replayed, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.results import Metric
from sonde.report.replay.history import replay_json, replay_text

CHANGE = ChangePoint(2, 2, 2, 10.0, 12.0, 0.18, 0.17, 0.19)
ESTIMATES = (None, Estimate(10.0, 9.5, 10.5), Estimate(12.0, 11.4, 12.6), Estimate(12.0, 11.4, 12.6))
SERIES = SeriesHistory(
    Configuration.of({"fast": True}), "run", Metric.WALL, ESTIMATES, (CHANGE,), 3, 0, failed=()
)
REPLAYED = Replayed(
    "lrzip", 1, "shared", (SERIES, replace(SERIES, changes=())), 0.0345, 12, 24, planner_seconds=1.5
)


def test_a_replay_is_told_in_a_few_lines(golden):
    golden("report/replay.txt", replay_text(REPLAYED) + "\n")


def test_a_script_gets_the_figures(golden):
    golden("report/replay.json", json.dumps(replay_json(REPLAYED), indent=2) + "\n")


def test_what_was_taken_whole_is_not_said_to_be_left_out():
    assert "Left out" not in replay_text(replace(REPLAYED, left_out=0))


def test_where_nothing_is_estimated_the_band_is_empty():
    assert "±0.0%" in replay_text(replace(REPLAYED, series=()))
