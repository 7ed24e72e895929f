"""What a learner of selections made of recorded tuples, as text and as JSON."""

import json
from dataclasses import replace

from sonde.core.findings.selection_rates import Rate, ReplayedSelection, SelectionRates
from sonde.report.replay.select import replay_select_json, replay_select_text

RATES = SelectionRates(
    hit=Rate(47, 50, 0.83, 0.99),
    dismiss=Rate(700, 950, 0.70, 0.77),
    proven=310,
    proven_hits=0,
    seconds=4_000.0,
    seconds_saved=2_900.0,
)
REPLAYED = ReplayedSelection(
    "tuples.csv",
    learner="greedy",
    scope="benchmark",
    indicators="paper",
    folds=10,
    seed=0,
    threshold=0.03,
    revisions=100,
    benchmarks=10,
    rates=RATES,
    on_all=replace(RATES, hit=Rate(50, 50, 0.93, 1.0)),
    rules={"copy": "functions that changed > 2", "": "never"},
    warnings=("one fold has no hit",),
)


def test_rates_rules_and_warnings_are_told(golden):
    golden("report/replay-selection.txt", replay_select_text(REPLAYED) + "\n")


def test_a_script_gets_the_rates(golden):
    golden("report/replay-selection.json", json.dumps(replay_select_json(REPLAYED), indent=2) + "\n")


def test_a_rate_of_nothing_has_a_reason():
    rates = replace(RATES, hit=Rate(0, 0), seconds=0.0, seconds_saved=0.0)

    answer = replay_select_json(replace(REPLAYED, rates=rates))

    assert answer["hit"] is None
    assert answer["hit_interval"] is None
    assert answer["reason"] == "there is no hit"
    assert answer["time_saved"] is None
    assert "there is no hit" in replay_select_text(replace(REPLAYED, rates=rates))
