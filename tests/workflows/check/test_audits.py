"""Which cases are audited, what is measured because of them, and what is kept of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.campaign.memory_store import MemoryStore
from sonde.core.findings.comparisons import (
    Audit,
    AuditOutcome,
    Case,
    Compared,
    Dropped,
    NarrowingStep,
    Ratio,
    Verdict,
)
from sonde.core.options import Option
from sonde.core.records import AuditRecord
from sonde.core.results import Metric
from sonde.methods.comparison.auditing import cases_beside
from sonde.methods.comparison.rules import ComparisonRules
from sonde.space.space import Space
from sonde.workflows.check.audits import (
    AUDITED_STEPS,
    MOST_INSTEAD,
    DrawnAudits,
    cases_instead,
    draw_audits,
    keep_audits,
    still_dropped,
    with_earlier,
    with_more,
)
from sonde.workflows.check.narrowing import Narrowed
from tests.values import revision_id
from tests.workflows.check.test_narrowing import ALL, METRICS, SPACE, World, term, worlds

ALL_CASES = {Case(benchmark, each) for each in ALL for benchmark in METRICS}
STRONG = World({"compress": term(("a", True))}, related=["a", "level"])
SAMPLED = World({"main": frozenset()})
EVERYTHING = 10**6


def audit(case: Case, verdict: Verdict, outcome: AuditOutcome, threshold: float = 0.01) -> Audit:
    ratio = Ratio(0.3, 0.3, 0.3, 2, 0.0)
    return Audit(Compared(case, Metric.INSTRUCTIONS, threshold, verdict, "", ratio), outcome)


def missed(drawn: DrawnAudits) -> list[Audit]:
    return [audit(each, Verdict.SLOWER, AuditOutcome.MISSED) for each in drawn.cases]


def unchanged(drawn: DrawnAudits) -> list[Audit]:
    return [audit(each, Verdict.EQUAL, AuditOutcome.UNCHANGED) for each in drawn.cases]


@settings(max_examples=30)  # each solves constraints many times
@given(world=worlds(), strength=st.integers(1, 3))
def test_audits_are_drawn_from_all_that_impact_or_sampling_left_out_and_from_nothing_else(world, strength):
    narrowed = world.narrowing(strength=strength).run()
    left_out = [each for each in narrowed.dropped if each.step in AUDITED_STEPS]

    drawn = draw_audits(narrowed, EVERYTHING)

    assert len(left_out) <= 1
    assert len(set(drawn.cases)) == len(drawn.cases) == sum(each.cases for each in left_out)
    assert set(drawn.cases) <= ALL_CASES - set(narrowed.left) - set(narrowed.unchanged)


def test_the_same_revisions_give_the_same_audits_and_others_give_others():
    narrowed = SAMPLED.narrowing().run()
    later = replace(narrowed, head=replace(narrowed.head, id=revision_id(77)))
    first = draw_audits(narrowed, 5)

    assert draw_audits(SAMPLED.narrowing().run(), 5) == first
    assert draw_audits(narrowed, 9).cases[:5] == first.cases
    assert set(draw_audits(later, 5).cases) != set(first.cases)


@pytest.mark.parametrize(
    "narrowed",
    [
        World({}).narrowing().run(),  # equal inputs
        SAMPLED.narrowing().nothing(),  # --all
        SAMPLED.narrowing(tuple(ALL[:3])).run(),  # -c
    ],
    ids=["proven", "all", "named"],
)
def test_where_no_step_left_anything_out_there_is_nothing_to_audit(narrowed):
    assert draw_audits(narrowed, 5) == DrawnAudits()


def test_audits_can_be_switched_off():
    assert draw_audits(SAMPLED.narrowing().run(), 0) == DrawnAudits()


def test_further_audits_lie_beside_the_case_that_grows_most_and_anywhere():
    narrowed = SAMPLED.narrowing().run()
    drawn = draw_audits(narrowed, 2)
    ratios = [Ratio(0.001 * at, 0.0, 0.0, 2, 1.0) for at in range(len(narrowed.left))]
    compared = [
        Compared(case, Metric.INSTRUCTIONS, 0.01, Verdict.EQUAL, "", ratio)
        for case, ratio in zip(narrowed.left, ratios, strict=True)
    ]
    grown = compared[-1].case

    more = with_more(drawn, narrowed, compared)

    assert more.cases[:2] == drawn.cases
    assert len(set(more.cases)) == 2 + len(compared)
    assert set(more.cases) <= ALL_CASES - set(narrowed.left) - set(narrowed.unchanged)
    beside = set(cases_beside(narrowed.space, grown)) - set(narrowed.left) - set(drawn.cases)
    assert len(beside & set(more.cases)) >= min(len(beside), len(compared) // 2)


def test_where_an_audit_refutes_impact_a_sample_takes_the_place_of_what_impact_says():
    narrowed = STRONG.narrowing().run()
    drawn = draw_audits(narrowed, 2)

    instead = cases_instead(drawn, missed(drawn), narrowed, 2)

    assert 0 < len(instead) <= MOST_INSTEAD
    assert len(set(instead)) == len(instead)
    assert set(instead) <= ALL_CASES - set(narrowed.left) - set(narrowed.unchanged) - set(drawn.cases)
    assert cases_instead(drawn, unchanged(drawn), narrowed, 2) == ()


def test_where_the_whole_sample_is_known_a_stronger_one_is_measured():
    narrowed = STRONG.narrowing().run()
    drawn = draw_audits(narrowed, 2)
    sample = cases_instead(drawn, missed(drawn), narrowed, 1)

    known = replace(narrowed, left=(*narrowed.left, *sample))

    assert cases_instead(drawn, missed(drawn), known, 1)


def test_where_everything_is_known_nothing_more_is_measured():
    narrowed = STRONG.narrowing().run()
    drawn = draw_audits(narrowed, EVERYTHING)

    assert cases_instead(drawn, missed(drawn), narrowed, 1) == ()


def test_the_sample_is_bounded():
    narrowed = STRONG.narrowing().run()
    drawn = draw_audits(narrowed, 2)

    assert len(cases_instead(drawn, missed(drawn), narrowed, len(SPACE.options))) == MOST_INSTEAD


def test_what_sampling_missed_is_only_told():
    narrowed = SAMPLED.narrowing().run()
    drawn = draw_audits(narrowed, 2)

    assert cases_instead(drawn, missed(drawn), narrowed, 2) == ()


def dropped_cases(dropped: tuple[Dropped, ...]) -> int:
    return sum(each.cases for each in dropped)


@pytest.mark.parametrize("wanted", [2, EVERYTHING])
@pytest.mark.parametrize("world", [STRONG, SAMPLED])
def test_what_was_audited_is_no_longer_told_as_not_measured(world, wanted):
    narrowed = world.narrowing().run()
    drawn = draw_audits(narrowed, wanted)

    for audits in (unchanged(drawn), missed(drawn)):
        instead = cases_instead(drawn, audits, narrowed, 2)
        rest = still_dropped(narrowed, drawn, audits, instead)

        assert len(narrowed.left) + len(audits) + len(instead) + dropped_cases(rest) == narrowed.cases
        assert all(each.cases > 0 for each in rest)
        assert [each for each in rest if each.is_proven] == [
            each for each in narrowed.dropped if each.is_proven
        ]
        if instead:
            assert not any(each.step is NarrowingStep.IMPACT for each in rest)


RULES = ComparisonRules()


def kept(store: MemoryStore, narrowed: Narrowed, audits: list[Audit], rules: ComparisonRules = RULES):
    found = keep_audits(store, narrowed, draw_audits(narrowed, 2), audits, rules)
    assert found is not None
    return found


def test_the_tally_counts_every_audit_of_the_project_once():
    store, first = MemoryStore(), STRONG.narrowing().run()
    second = replace(first, head=replace(first.head, id=revision_id(78)))
    one, other = unchanged(draw_audits(first, 2)), missed(draw_audits(second, 2))

    assert kept(store, first, one).tally.audited == 2
    assert kept(store, first, one).tally.audited == 2  # the same command again
    found = kept(store, second, other)

    assert (found.tally.missed, found.tally.audited) == (2, 4)
    assert found.missed == tuple(each.compared for each in other)
    assert found.left_out == next(each.cases for each in first.dropped if each.step is NarrowingStep.IMPACT)
    assert len(list(store.query(AuditRecord, {}))) == 4


def test_an_answer_takes_the_place_of_none():
    store, narrowed = MemoryStore(), STRONG.narrowing().run()
    drawn = draw_audits(narrowed, 2)
    undecided = [audit(each, Verdict.INCONCLUSIVE, AuditOutcome.UNDECIDED) for each in drawn.cases]

    assert kept(store, narrowed, undecided).tally.undecided == 2
    tally = kept(store, narrowed, unchanged(drawn)).tally

    assert (tally.audited, tally.undecided) == (2, 0)


def test_what_was_audited_before_is_audited_again():
    """A change that was found stays found, however few audits are wanted the next time."""
    store, narrowed = MemoryStore(), SAMPLED.narrowing().run()
    many, one = draw_audits(narrowed, 9), draw_audits(narrowed, 1)
    keep_audits(store, narrowed, many, missed(many), RULES)

    assert with_earlier(one, narrowed, store) == many
    assert with_earlier(DrawnAudits(), narrowed, store) == DrawnAudits()

    left = replace(narrowed, left=(*narrowed.left, many.cases[4]))
    assert with_earlier(one, left, store).cases == many.cases[:4] + many.cases[5:]
    others = Space.of([Option("a", (False, True), False), Option("new", (1, 2), 1)])
    assert with_earlier(one, replace(narrowed, space=others), store) == one
    later = replace(narrowed, head=replace(narrowed.head, id=revision_id(79)))
    assert with_earlier(one, later, store) == one


def test_each_step_and_each_threshold_has_a_tally_of_its_own():
    store, by_impact, by_sample = MemoryStore(), STRONG.narrowing().run(), SAMPLED.narrowing().run()
    kept(store, by_impact, missed(draw_audits(by_impact, 2)))

    tally = kept(store, by_sample, unchanged(draw_audits(by_sample, 1))).tally
    assert (tally.missed, tally.audited) == (0, 1)

    coarse = ComparisonRules(thresholds={**RULES.thresholds, Metric.INSTRUCTIONS: 0.5})
    assert kept(store, by_impact, [], coarse).tally.audited == 0
