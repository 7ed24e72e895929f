"""How `sonde check` ends: its exit code."""

from __future__ import annotations

from enum import Enum

from sonde.cli.git_bisect import CANNOT_SAY
from sonde.cli.terminal.guarding import CANNOT_MEASURE
from sonde.core.findings.comparisons import Check, Compared, Verdict

REGRESSION, INCONCLUSIVE = 1, 4


class FailOn(Enum):
    """Result that sets exit code 1."""

    REGRESSION = "regression"
    TIME = "time"  # also what is slower without more work, or slower in some set-ups
    CHANGE = "change"
    NEVER = "never"


_CHANGES = frozenset(
    {Verdict.NO_MORE_WORK, Verdict.NO_LESS_WORK, Verdict.DEPENDS, Verdict.FASTER, Verdict.MENDED}
)


def exit_code(check: Check, fail_on: FailOn, is_git_bisect: bool) -> int:
    """What a pipeline should be told.

    `never` only reports: it ends with 0 whatever was found. In the mode for `git bisect` there are 0, 1 and
    125 only.
    """
    verdicts = {each.verdict for each in check.answers}
    if fail_on is FailOn.NEVER and not is_git_bisect:
        return 0
    if check.regressions or any(_fails(each, fail_on) for each in check.answers):
        return REGRESSION
    if verdicts == {Verdict.BROKEN}:
        return CANNOT_SAY if is_git_bisect else CANNOT_MEASURE
    if not check.is_conclusive:
        return CANNOT_SAY if is_git_bisect else INCONCLUSIVE
    return 0


def _fails(compared: Compared, fail_on: FailOn) -> bool:
    """Whether a case that is no regression makes it 1 all the same."""
    if fail_on is FailOn.CHANGE:
        return compared.verdict in _CHANGES
    is_slower = compared.modes is not None and compared.modes.change > 0
    return fail_on is FailOn.TIME and (compared.verdict is Verdict.NO_MORE_WORK or is_slower)
