"""The study of verdicts: what it records, what its tables say, what other rules say."""

from __future__ import annotations

import random
from math import log1p

import numpy as np
import pytest

from sonde.core.findings.comparisons import Verdict
from studies.check import calibration, peers
from studies.check.instructions import Counted
from studies.check.recording import (
    CALM,
    IN_A_ROW,
    LOADED,
    PLANTED,
    SAME,
    SAME_IN_A_ROW,
    Comparison,
    PairOfRuns,
    Recording,
)
from studies.check.workloads import Run, Workload


def made(kind, number, noise=0.01, effect=0.0, state=CALM, size=40):
    rng = np.random.default_rng(number)
    runs = np.exp(rng.normal(0, noise, (size, 2))) * [0.05, 0.05 * np.exp(effect)]
    pairs = tuple(
        PairOfRuns(Run(base, base * 1.2), Run(head, head * 1.2), random.Random(number).random() < 0.5)
        for base, head in runs.tolist()
    )
    return Comparison(state, kind, "compress", number, effect, pairs)


@pytest.fixture
def recording(tmp_path):
    kept = Recording(tmp_path / "comparisons.jsonl")
    for number in range(5):
        for state in (CALM, LOADED):
            kept.append(made(SAME, number, state=state))
            kept.append(made(SAME_IN_A_ROW, number, state=state, size=10))
            kept.append(made(PLANTED, number, effect=log1p(0.05), state=state))
            kept.append(made(IN_A_ROW, number, effect=log1p(0.05), state=state, size=10))
    return kept


def test_what_was_recorded_is_read_again(tmp_path):
    path = tmp_path / "comparisons.jsonl"
    comparison = made(SAME, 3)
    Recording(path).append(comparison)
    with path.open("a") as file:
        file.write('{"state": "calm", "ki')  # interrupted

    again = Recording(path)
    assert again.of(SAME) == [comparison]
    assert comparison.key in again
    assert (CALM, SAME, "compress", 4) not in again


def test_a_comparison_is_judged_by_the_pairs_that_were_needed():
    judged = calibration.judge(made(SAME, 1))

    assert (judged.judgement.verdict, judged.pairs, judged.is_covering) == (Verdict.EQUAL, 6, True)
    assert 0 < judged.width < 0.1


def test_the_tables_count_every_comparison(recording):
    verdicts = calibration.verdict_table(recording)

    assert "| calm | compress | 5 | 0 | 5 | 0 |" in verdicts
    assert "| loaded | all | 5 | 5 | 0 | 0 |" in verdicts
    assert "| all | all | 20 of 20 (100.0 %) |" in calibration.interval_table(recording)
    assert "| calm | compress: a compressor on 256 kB of text | 50 ms | 1.20 | 1." in calibration.noise_table(
        recording
    )
    assert "| sonde check | pairs until there is an answer | cpu | 0 of 5 (0.0 %) | 5 of 5 (100.0 %) |" in (
        calibration.peer_table(recording)
    )


def test_without_comparisons_the_tables_are_empty(tmp_path):
    empty = Recording(tmp_path / "none.jsonl")

    assert "-" in calibration.peer_table(empty)
    assert calibration.noise_table(empty)
    assert calibration.interval_table(empty)
    assert calibration.verdict_table(empty)


def test_runs_in_a_row_are_those_of_the_base_and_then_those_of_the_head():
    pairs = tuple(PairOfRuns(Run(1.0 + at, 0), Run(1.1 + at, 0), is_head_first=False) for at in range(10))
    seen = []

    def note(first, second):
        seen.extend([first, second])
        return True

    compared = Comparison(CALM, SAME_IN_A_ROW, "compress", 0, 0.0, pairs)
    assert peers.of_runs_in_a_row(note, peers.cpu)(compared)
    assert [runs[:2] for runs in seen] == [[1.0, 2.0], [1.1, 2.1]]


def test_other_rules_see_what_is_plain():
    base, head = [1.0, 1.01, 0.99] * 4, [1.3, 1.31, 1.29] * 4

    for rule in (peers.by_the_spread, peers.by_welch, peers.by_definition_6(0.1)):
        assert rule(base, head)
        assert rule(head, base)
        assert not rule(base, base)


def test_planted_instructions_are_judged_by_two_runs():
    counted = Counted("compress", 0, (1e6, 1e6), (1e6, 1e6), (1.02e6, 1.02e6))

    assert counted.is_found
    assert counted.is_equal
    assert counted.error == pytest.approx(0, abs=1e-9)
    assert "| compress | 1 | 1 | 1 | 2 | 0.000 % |" in calibration.counted_table([counted])


def test_planted_work_counts_the_start_of_the_program(tmp_path):
    workload = Workload("compress", tmp_path / "none", steps=1000, steps_of_start=200.0)

    assert workload.steps_with(0.0) == 1000
    assert workload.steps_with(0.05) == 1060
