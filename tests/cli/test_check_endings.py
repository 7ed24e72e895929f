"""The exit code of a check, for every kind of finding and every way to ask."""

from __future__ import annotations

import pytest

from sonde.cli.check_endings import FailOn, exit_code
from sonde.core.comparisons import Verdict
from tests.report.made_checks import DEFAULT, UNCHANGED, case, check, counted, failing

REGRESSION, CHANGE, NEVER = FailOn.REGRESSION, FailOn.CHANGE, FailOn.NEVER

# verdicts -> exit code by default, with --fail-on change, and in the mode for git bisect
CODES = {
    (Verdict.EQUAL,): (0, 0, 0),
    (Verdict.SLOWER,): (1, 1, 1),
    (Verdict.FAILS,): (1, 1, 1),
    (Verdict.FASTER,): (0, 1, 0),
    (Verdict.MENDED,): (0, 1, 0),
    (Verdict.BROKEN,): (3, 3, 125),
    (Verdict.INCONCLUSIVE,): (4, 4, 125),
    (Verdict.EQUAL, Verdict.BROKEN): (4, 4, 125),
    (Verdict.EQUAL, Verdict.INCONCLUSIVE): (4, 4, 125),
    (Verdict.INCONCLUSIVE, Verdict.BROKEN): (4, 4, 125),
    (Verdict.FASTER, Verdict.INCONCLUSIVE): (4, 1, 125),
    (Verdict.MENDED, Verdict.EQUAL): (0, 1, 0),
    (Verdict.FASTER, Verdict.SLOWER): (1, 1, 1),
    (Verdict.INCONCLUSIVE, Verdict.SLOWER): (1, 1, 1),
    (Verdict.BROKEN, Verdict.FAILS): (1, 1, 1),
}


def check_with(verdicts):
    fails = (Verdict.FAILS, Verdict.MENDED, Verdict.BROKEN)
    return check(
        *(
            failing(case(f"b{n}", DEFAULT), verdict, "it fails")
            if verdict in fails
            else counted(case(f"b{n}", DEFAULT), verdict, 0.1)
            for n, verdict in enumerate(verdicts)
        )
    )


@pytest.mark.parametrize("verdicts", CODES)
def test_a_pipeline_is_told_what_was_found(verdicts):
    found, (by_default, on_change, bisecting) = check_with(verdicts), CODES[verdicts]

    assert exit_code(found, REGRESSION, is_git_bisect=False) == by_default
    assert exit_code(found, CHANGE, is_git_bisect=False) == on_change
    assert exit_code(found, REGRESSION, is_git_bisect=True) == bisecting


@pytest.mark.parametrize("verdicts", CODES)
def test_a_report_alone_never_fails_but_git_is_always_answered(verdicts):
    found = check_with(verdicts)

    assert exit_code(found, NEVER, is_git_bisect=False) == 0
    assert exit_code(found, NEVER, is_git_bisect=True) in (0, 1, 125)


@pytest.mark.parametrize("fail_on", FailOn)
@pytest.mark.parametrize("is_git_bisect", [False, True])
def test_where_nothing_had_to_be_measured_there_is_no_regression(fail_on, is_git_bisect):
    assert exit_code(UNCHANGED, fail_on, is_git_bisect) == 0
