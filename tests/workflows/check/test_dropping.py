"""What decisions of a selection mean: what is proven, what is looked at anyway, and how it is told."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Case, Compared, Dropped, NarrowingStep, Verdict
from sonde.core.findings.selections import Basis, Selected, Touched
from sonde.core.options import Configuration
from sonde.core.results import Metric
from sonde.workflows.check.dropping import (
    LAYOUT,
    NOT_REACHED,
    absences,
    drops,
    is_proven,
    proves_every_configuration,
)
from sonde.workflows.select.builds import SAME_CODE, SAME_OUTPUTS
from sonde.workflows.select.cases import SAME_INPUTS

COUNTED, TIMED = Metric.INSTRUCTIONS, Metric.CPU
METRICS = {"pack": COUNTED, "unpack": TIMED}
CASES = [
    Case(benchmark, Configuration.of({"level": level, "fast": fast}))
    for benchmark, level, fast in product(METRICS, (1, 5, 9), (False, True))
]
FUNCTIONS = ("compress", "hash", "usage", "main")


def selected(
    case: Case, basis: Basis, reason: str = "no code that it reaches changed", functions: tuple[str, ...] = ()
) -> Selected:
    touched = tuple(Touched(name, 0.1, "changed") for name in functions)
    return Selected(
        case.benchmark, case.configuration, basis is not Basis.PROVEN, basis, (reason,), touched=touched
    )


@st.composite
def selections(draw):
    """Decisions about some cases."""
    known = {}
    for case in draw(st.lists(st.sampled_from(CASES), unique=True, min_size=1)):
        basis = draw(st.sampled_from([Basis.PROVEN, Basis.PROVEN, *Basis]))
        reason = draw(
            st.sampled_from([SAME_INPUTS, SAME_OUTPUTS, SAME_CODE, "no code that it reaches changed"])
        )
        functions = draw(st.lists(st.sampled_from(FUNCTIONS), unique=True, max_size=3))
        known[case] = selected(case, basis, reason, () if basis is Basis.PROVEN else tuple(functions))
    return known


def unproven(known):
    return [case for case, each in known.items() if not is_proven(each)]


@given(known=selections(), data=st.data(), more=st.integers(0, 1000))
def test_every_case_is_either_left_or_dropped_once(known, data, more):
    left = data.draw(st.lists(st.sampled_from(list(known)), unique=True))
    total = len(known) + more

    found = drops(known, METRICS, left, total, NarrowingStep.SAMPLE, "others stand for it")

    assert len(left) + sum(each.cases for each in found) == total
    assert all(each.cases > 0 and each.reason and each.benchmarks for each in found)


@given(known=selections(), data=st.data(), more=st.integers(0, 1000))
def test_only_what_is_proven_for_its_metric_is_told_as_proven(known, data, more):
    left = data.draw(st.lists(st.sampled_from(list(known)), unique=True))

    found = drops(known, METRICS, left, len(known) + more, NarrowingStep.IMPACT, "it takes no part")

    sure = [
        case
        for case, each in known.items()
        if is_proven(each)
        and case not in left
        and (METRICS[case.benchmark] is COUNTED or each.reasons[0] in (SAME_INPUTS, SAME_OUTPUTS))
    ]
    assert sum(each.cases for each in found if each.is_proven) == len(sure)
    assert all(each.is_proven or each.step is NarrowingStep.IMPACT or LAYOUT in each.reason for each in found)


def test_equal_builds_prove_all_at_once():
    known = {case: selected(case, Basis.PROVEN, SAME_OUTPUTS) for case in CASES}

    assert drops(known, METRICS, [], 5000, NarrowingStep.BUILDS, SAME_OUTPUTS) == [
        Dropped(NarrowingStep.BUILDS, True, SAME_OUTPUTS, 5000, ("pack", "unpack"))
    ]


def test_equal_code_is_told_with_a_doubt_where_times_are_measured():
    pack, unpack = CASES[0], CASES[-1]
    known = {case: selected(case, Basis.PROVEN, SAME_CODE) for case in (pack, unpack)}

    assert drops(known, METRICS, [], 2) == [
        Dropped(NarrowingStep.BUILDS, True, SAME_CODE, 1, ("pack",)),
        Dropped(NarrowingStep.BUILDS, False, SAME_CODE + LAYOUT, 1, ("unpack",)),
    ]
    reached = {pack: selected(pack, Basis.PROVEN)}
    assert drops(reached, METRICS, [], 1) == [Dropped(NarrowingStep.SELECT, True, NOT_REACHED, 1, ("pack",))]


@pytest.mark.parametrize(
    ("reason", "metric", "has_build_options", "proves"),
    [
        (SAME_INPUTS, COUNTED, False, True),
        (SAME_INPUTS, TIMED, True, True),
        (SAME_OUTPUTS, TIMED, False, True),
        (SAME_OUTPUTS, TIMED, True, False),  # what another configuration builds may differ
        (SAME_CODE, COUNTED, False, True),
        (SAME_CODE, COUNTED, True, False),
        (SAME_CODE, TIMED, False, False),
        ("no code that it reaches changed", COUNTED, False, False),
    ],
)
def test_a_proof_for_all_configurations_is_about_their_builds(reason, metric, has_build_options, proves):
    known = selected(CASES[0], Basis.PROVEN, reason)

    assert proves_every_configuration(known, metric, has_build_options) is proves


@pytest.mark.parametrize("basis", [each for each in Basis if each is not Basis.PROVEN])
def test_what_a_rule_predicts_or_nobody_knows_is_no_proof(basis):
    known = selected(CASES[0], basis, SAME_INPUTS)

    assert not is_proven(known)
    assert not proves_every_configuration(known, COUNTED, has_build_options=False)


def test_what_exists_at_one_revision_only_is_not_measured_and_nothing_is_claimed_of_it():
    there, gone = CASES[0], CASES[-1]
    compared = Compared(there, COUNTED, 0.01, Verdict.EQUAL, "a change of 1 % or more is ruled out")

    (dropped,) = absences([there, gone], [compared])

    assert not dropped.is_proven
    assert (dropped.cases, dropped.benchmarks) == (1, ("unpack",))
    assert absences([there], [compared]) == []
