"""Whether a revision is slower, as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

import pytest

from sonde.core.findings.comparisons import Ratio
from sonde.report.check.json import check_json
from tests.golden_files import GoldenFiles
from tests.report.made_checks import FAILS, KINDS, MANY, SLOWER

TOLD = (
    "slower",
    "fails",
    "inconclusive",
    "unchanged",
    "culprits",
    "growth",
    "some-outputs",
    "audits-differ",
    "depends",
)


@pytest.mark.parametrize("kind", TOLD)
def test_json_has_the_verdicts_with_their_evidence(golden: GoldenFiles, kind: str) -> None:
    golden(f"report/check-{kind}.json", json.dumps(check_json(KINDS[kind]), indent=2) + "\n")


@pytest.mark.parametrize("kind", KINDS)
def test_every_check_can_be_written_as_strict_json(kind: str) -> None:
    found = check_json(KINDS[kind])

    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_nothing_is_cut_and_nothing_is_lost() -> None:
    found = check_json(MANY)

    assert isinstance(found["compared"], list)
    assert len(found["compared"]) == 54
    assert found["cases"] == {"measured": 54, "audited": 0, "total": 300}


def test_an_open_interval_is_null() -> None:
    first = replace(SLOWER.compared[0], ratio=Ratio(0.2, -inf, inf, 3, 1.0))

    json.dumps(check_json(replace(SLOWER, compared=(first,))), allow_nan=False)


def test_what_a_failing_benchmark_printed_is_kept() -> None:
    found = check_json(FAILS)

    assert isinstance(found["compared"], list)
    assert found["compared"][0]["output"] == "packer: no such level\n"
    assert found["is_regression"]
