"""What a failing case means for the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.findings.comparisons import Case, Verdict
from sonde.core.options import Configuration
from sonde.core.results import Failed, Metric, Stage
from sonde.workflows.check.failures import failing_case

CASE = Case("pack", Configuration.of({}))
LASTING = Failed(Stage.RUN, "It ended with exit code 7.")
NOW_AND_THEN = replace(LASTING, is_lasting=False)


@pytest.mark.parametrize(
    ("base", "head", "verdict"),
    [
        (None, LASTING, Verdict.FAILS),
        (LASTING, None, Verdict.MENDED),
        (LASTING, LASTING, Verdict.BROKEN),
        (None, NOW_AND_THEN, Verdict.INCONCLUSIVE),
        (NOW_AND_THEN, None, Verdict.INCONCLUSIVE),
        (NOW_AND_THEN, LASTING, Verdict.INCONCLUSIVE),
        (LASTING, NOW_AND_THEN, Verdict.INCONCLUSIVE),
        (NOW_AND_THEN, NOW_AND_THEN, Verdict.INCONCLUSIVE),
    ],
    ids=["head", "base", "both", "head, at times", "base, at times", "mixed", "mixed too", "both, at times"],
)
def test_only_failures_that_last_are_a_finding(base, head, verdict):
    found = failing_case(CASE, Metric.CPU, 0.05, base, head)

    assert found.verdict is verdict
    assert found.failed in (base, head)
    assert LASTING.reason in found.reason
