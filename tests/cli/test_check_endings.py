"""The exit code of a check, for every kind of finding and every way to ask."""

from __future__ import annotations

import pytest

from sonde.cli.check_endings import FailOn, exit_code
from sonde.core.findings.comparisons import AuditOutcome, Verdict
from tests.report.made_checks import (
    DEFAULT,
    FILTERED,
    NOTHING,
    UNCHANGED,
    audited,
    case,
    check,
    counted,
    depending,
    failing,
    timed,
)

REGRESSION, CHANGE, NEVER = FailOn.REGRESSION, FailOn.CHANGE, FailOn.NEVER

# verdicts -> exit code by default, with --fail-on change, and in the mode for git bisect
CODES = {
    (Verdict.EQUAL,): (0, 0, 0),
    (Verdict.SLOWER,): (1, 1, 1),
    (Verdict.FAILS,): (1, 1, 1),
    (Verdict.FASTER,): (0, 1, 0),
    (Verdict.NO_MORE_WORK,): (0, 1, 0),
    (Verdict.DEPENDS,): (0, 1, 0),
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


def test_what_is_slower_without_more_work_fails_if_it_shall():
    found = check_with((Verdict.EQUAL, Verdict.NO_MORE_WORK))

    assert exit_code(found, FailOn.TIME, is_git_bisect=False) == 1
    assert exit_code(check_with((Verdict.FASTER,)), FailOn.TIME, is_git_bisect=False) == 0


@pytest.mark.parametrize(("change", "code"), [(0.17, 1), (-0.17, 0)])
def test_what_is_slower_in_some_set_ups_fails_where_times_alone_do(change, code):
    found = check(depending(case(), change))

    assert exit_code(found, FailOn.TIME, is_git_bisect=False) == code


MISSED, UNDECIDED = AuditOutcome.MISSED, AuditOutcome.UNDECIDED
EQUAL = check(counted(case(), Verdict.EQUAL, 0.0))
AUDITED = case("pack", FILTERED)


@pytest.mark.parametrize("found", [EQUAL, NOTHING])
@pytest.mark.parametrize(
    ("audit", "codes"),
    [
        ((counted(AUDITED, Verdict.EQUAL, 0.0), AuditOutcome.UNCHANGED), (0, 0)),
        ((counted(AUDITED, Verdict.SLOWER, 0.2), MISSED), (1, 1)),
        ((failing(AUDITED, Verdict.FAILS, "it fails"), MISSED), (1, 1)),
        ((counted(AUDITED, Verdict.FASTER, -0.2), MISSED), (0, 1)),
        ((timed(AUDITED, Verdict.INCONCLUSIVE, 0.02, "noise"), UNDECIDED), (0, 0)),
        ((failing(AUDITED, Verdict.BROKEN, "it fails at both revisions"), UNDECIDED), (0, 0)),
    ],
)
def test_an_audit_that_found_a_change_counts_and_one_without_an_answer_does_not(found, audit, codes):
    checked = audited(found, audit)

    assert exit_code(checked, REGRESSION, is_git_bisect=False) == codes[0]
    assert exit_code(checked, CHANGE, is_git_bisect=False) == codes[1]
    assert exit_code(checked, NEVER, is_git_bisect=False) == 0
