"""What moved with a time, in words."""

from __future__ import annotations

from dataclasses import replace

from sonde.core.findings.comparisons import Moved, Verdict
from sonde.report.check.moved import moved_json, moved_texts
from tests.report.made_checks import DEFAULT, STRONG, case, timed

FAULTS = Moved("page faults", "", 28_000.0, 95_000.0)
SYSTEM = Moved("system time", "s", 0.101, 0.213)


def test_each_benchmark_has_a_line_about_the_case_that_changes_most():
    small = replace(timed(case(), Verdict.SLOWER, 0.1), moved=(FAULTS,))
    large = replace(timed(case(configuration=STRONG), Verdict.SLOWER, 0.3), moved=(SYSTEM, FAULTS))
    other = timed(case("unpack"), Verdict.SLOWER, 0.5)

    assert list(moved_texts([small, large, other], DEFAULT)) == [
        "pack, level=9: also changed: system time 101 ms -> 213 ms, page faults 28 k -> 95 k."
    ]


def test_json_has_units():
    assert moved_json([SYSTEM]) == [{"name": "system time", "unit": "s", "base": 0.101, "head": 0.213}]
