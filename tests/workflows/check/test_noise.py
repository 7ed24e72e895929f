"""What is said of a noisy machine."""

from __future__ import annotations

import pytest

from sonde.core.findings.comparisons import Ratio, Verdict
from sonde.methods.comparison.comparing import Judgement
from sonde.methods.comparison.disturbances import Unrest
from sonde.methods.comparison.reasons import reason_of
from sonde.methods.comparison.rules import ComparisonRules
from sonde.workflows.check.noise import noise_warning

UNREST = Unrest(pairs=40, disturbed=0, kept=0, deviation=0.09, pressure=0.0)
NARROW, WIDE, HOPELESS = (Ratio(0.0, -half, half, 40, 1.0) for half in (0.03, 0.05, 0.4))


def undecided(ratio: Ratio | None) -> tuple[Judgement, Unrest]:
    return Judgement(Verdict.INCONCLUSIVE, "", 0.05, ratio), UNREST


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ((NARROW,), "Use --pairs 70,"),
        ((NARROW, WIDE), "Use --pairs 170,"),
        ((NARROW, HOPELESS), "Use more pairs (--pairs),"),
        ((None,), "Use more pairs (--pairs),"),
    ],
)
def test_the_number_of_pairs_is_that_of_the_case_that_takes_most(ratios, said):
    warning = noise_warning([undecided(each) for each in ratios])

    assert warning.startswith("the machine is noisy: equal runs differ by about 9 %. ")
    assert said in warning


@pytest.mark.parametrize("ratio", [NARROW, WIDE])
def test_the_warning_and_the_reason_of_a_case_say_the_same_number(ratio):
    needed = ratio.pairs_to_decide(0.05)
    reason = reason_of(Verdict.INCONCLUSIVE, ratio, 0.05, 40, ComparisonRules())

    assert f"about {needed} pairs should decide it" in reason
    assert f"--pairs {needed}," in noise_warning([undecided(ratio)])
