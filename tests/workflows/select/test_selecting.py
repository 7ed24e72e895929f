"""Decisions in view of earlier measurements, and rules that age."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.errors import UsageError
from sonde.core.findings.selections import Basis, Proof, Selected
from sonde.core.options import Configuration
from sonde.core.results import Metric
from sonde.core.revisions import History, Revision
from sonde.methods.selection.examples import Example
from sonde.workflows.select.learning import Learning, ageing, way_of
from sonde.workflows.select.measured import LastMeasured, in_view_of
from tests.values import revision_id

PREDICTED = Selected("pack", Configuration.of({}), False, Basis.PREDICTED, ("nothing",), seconds=40.0)
PROVEN = replace(PREDICTED, basis=Basis.PROVEN, proof=Proof.NOT_REACHED)


@pytest.mark.parametrize(("hops", "is_run"), [(0, False), (49, False), (50, True), (51, True)])
def test_what_was_not_measured_for_long_is_run_in_any_case(hops, is_run):
    decided = in_view_of(PREDICTED, LastMeasured(hops, None), Metric.INSTRUCTIONS, full_every=50)

    assert decided.is_run is is_run
    assert (decided.basis is Basis.DUE) is is_run
    assert decided.reasons[-1] == "nothing"


def test_age_does_not_overrule_a_proof():
    assert in_view_of(PROVEN, LastMeasured(1000, None), Metric.INSTRUCTIONS, full_every=50) == PROVEN


def test_a_run_takes_what_it_took_and_not_what_its_profile_did():
    assert in_view_of(PROVEN, LastMeasured(1, 0.5), Metric.CPU, 50).seconds == 0.5
    assert in_view_of(PROVEN, LastMeasured(0, None), Metric.CPU, 50).seconds is None
    assert in_view_of(PROVEN, LastMeasured(0, None), Metric.INSTRUCTIONS, 50).seconds == 40.0


HISTORY = History(tuple(Revision(revision_id(i), (), i, "Ada", str(i)) for i in range(100)))


def example(position: int, share: float, is_hit: bool) -> Example:
    values = {"share": share, "objch": 0.0}
    return Example(
        revision_id(position), revision_id(position - 1), "pack", values, 0.1, is_hit, is_proven=False
    )


def known(late_share: float) -> list[Example]:
    """Hits with a share of 50 % in the older revisions, and of `late_share` in the latest."""
    early = [example(i, 50.0, is_hit=True) for i in range(1, 60)]
    quiet = [example(i, 1.0, is_hit=False) for i in range(1, 100)]
    return [*early, *quiet, *(example(i, late_share, is_hit=True) for i in range(80, 100))]


def test_a_rule_that_misses_the_latest_changes_is_said_to_have_aged():
    way = way_of(Learning("share"))

    assert ageing(way, 0.95, known(late_share=60.0), HISTORY) is None
    warning = ageing(way, 0.95, known(late_share=0.5), HISTORY)
    assert warning is not None
    assert "would have found 0" in warning


def test_nothing_is_said_of_age_where_little_is_known():
    way = way_of(Learning("share"))

    assert ageing(way, 0.95, [], HISTORY) is None
    assert ageing(way, 0.95, [example(3, 50.0, is_hit=True)], HISTORY) is None


@pytest.mark.parametrize("learning", [Learning("oracle"), Learning(scope="world"), Learning(catch="0%")])
def test_unknown_words_are_mistakes_of_the_user(learning):
    with pytest.raises(UsageError):
        way_of(learning)
