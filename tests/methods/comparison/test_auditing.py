"""Audits: which cases are drawn, and what their verdicts mean."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import log1p
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import AuditOutcome, Case, Compared, Ratio, Verdict
from sonde.core.options import Configuration, Option
from sonde.core.results import Metric
from sonde.methods.comparison import auditing
from sonde.methods.comparison.auditing import (
    cases_beside,
    draw_cases,
    most_grown,
    moves,
    outcome_of,
    tally_of,
)
from sonde.space.space import Space
from tests.space.samplers.chi_square import is_plausible
from tests.space.samplers.spaces import CONSTRAINED, SWITCH, spaces_with_samples, valid_of

BENCHMARKS = ("pack", "unpack")
SPACE = Space.of([Option(name, SWITCH, False) for name in "abc"], ("a or not b",))


def cases_of(space: Space) -> list[Case]:
    return [Case(benchmark, each) for each in valid_of(space) for benchmark in BENCHMARKS]


@pytest.fixture(params=["listed", "drawn one by one"])
def way(request, monkeypatch):
    """Small spaces are listed, large ones are not; both must draw alike."""
    if request.param != "listed":
        monkeypatch.setattr(auditing, "FEW", 0)


@given(
    drawn=spaces_with_samples(),
    seed=st.integers(0, 99),
    request=st.integers(0, 40),
    few=st.sampled_from([0, 99]),
)
def test_what_is_drawn_is_valid_and_new_and_as_many_as_wanted(drawn, seed, request, few):
    space, sampled = drawn
    excluded = {Case("pack", each) for each in sampled}
    left = set(cases_of(space)) - excluded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auditing, "FEW", few)
        found = draw_cases(space, BENCHMARKS, excluded, request, Random(seed))
        again = draw_cases(space, BENCHMARKS, excluded, request, Random(seed))

    assert len(found) == len(set(found)) == min(request, len(left))
    assert set(found) <= left
    assert again == found


@given(seed=st.integers(0, 99), few=st.integers(0, 12), more=st.integers(0, 12))
def test_who_wants_more_gets_the_same_cases_and_others(seed, few, more):
    excluded = cases_of(SPACE)[:3]
    first = draw_cases(SPACE, BENCHMARKS, excluded, few, Random(seed))

    assert draw_cases(SPACE, BENCHMARKS, excluded, few + more, Random(seed))[: len(first)] == first


def test_every_pair_of_cases_is_as_probable_as_any_other(way):
    excluded = cases_of(SPACE)[:4]
    left = cases_of(SPACE)[4:]
    frequencies = Counter(
        frozenset(draw_cases(SPACE, BENCHMARKS, excluded, 2, Random(seed))) for seed in range(1_000)
    )

    assert set(frequencies) == set(map(frozenset, combinations(left, 2)))
    assert is_plausible(list(frequencies.values()))


def test_a_space_that_is_too_intricate_to_count_is_drawn_from_all_the_same():
    space = Space(CONSTRAINED.options, CONSTRAINED.constraints)
    vars(space)["diagram"] = None  # as if it had grown too large, which takes long to find out
    excluded = set(cases_of(space)[::2])

    found = draw_cases(space, BENCHMARKS, excluded, 20, Random(3))

    assert len(set(found)) == 20
    assert set(found) <= set(cases_of(space)) - excluded
    everything = set(cases_of(space))
    assert draw_cases(space, BENCHMARKS, everything, 20, Random(3)) == ()


def configuration(a: bool = False, b: bool = False, c: bool = False) -> Configuration:
    return Configuration.of({"a": a, "b": b, "c": c})


PLAIN, A, B, AC = configuration(), configuration(a=True), configuration(b=True), configuration(a=True, c=True)


def compared(where: Configuration, verdict: Verdict, benchmark: str = "pack") -> Compared:
    ratio = Ratio(0.1, 0.1, 0.1, 2, 0.0)
    return Compared(Case(benchmark, where), Metric.INSTRUCTIONS, 0.01, verdict, "", ratio)


SLOWER, EQUAL, FASTER = Verdict.SLOWER, Verdict.EQUAL, Verdict.FASTER
MISSED, REPORTED = AuditOutcome.MISSED, AuditOutcome.REPORTED


@pytest.mark.parametrize(
    ("audited", "measured", "outcome"),
    [
        (compared(A, EQUAL), [compared(PLAIN, SLOWER)], AuditOutcome.UNCHANGED),
        (compared(A, Verdict.INCONCLUSIVE), [], AuditOutcome.UNDECIDED),
        (compared(A, Verdict.BROKEN), [], AuditOutcome.UNDECIDED),
        (compared(A, SLOWER), [], MISSED),
        (compared(A, Verdict.FAILS), [compared(PLAIN, EQUAL)], MISSED),
        (compared(A, SLOWER), [compared(PLAIN, EQUAL)], MISSED),
        (compared(A, SLOWER), [compared(B, SLOWER, "unpack")], MISSED),  # another benchmark
        (compared(A, SLOWER), [compared(B, FASTER)], MISSED),  # another direction
        (compared(AC, SLOWER), [compared(A, SLOWER), compared(PLAIN, EQUAL)], REPORTED),  # both have a
        (compared(B, SLOWER), [compared(A, SLOWER), compared(PLAIN, EQUAL)], MISSED),  # nothing in common
        (compared(B, SLOWER), [compared(A, SLOWER)], REPORTED),  # all that were measured
        (compared(B, SLOWER), [compared(A, SLOWER), compared(PLAIN, Verdict.INCONCLUSIVE)], REPORTED),
        (  # no term holds in both that were measured, so nothing is said about where
            compared(B, SLOWER),
            [compared(A, SLOWER), compared(configuration(c=True), SLOWER), compared(PLAIN, EQUAL)],
            REPORTED,
        ),
    ],
)
def test_a_change_is_missed_where_nothing_that_was_measured_shows_it(audited, measured, outcome):
    assert outcome_of(audited, measured, ()) is outcome


def test_what_is_proven_tells_where_a_change_is_not():
    measured = [compared(A, SLOWER)]

    assert outcome_of(compared(B, SLOWER), measured, [Case("unpack", PLAIN)]) is REPORTED
    assert outcome_of(compared(B, SLOWER), measured, [Case("pack", PLAIN)]) is MISSED
    assert outcome_of(compared(AC, SLOWER), measured, [Case("pack", PLAIN)]) is REPORTED


@given(outcomes=st.lists(st.sampled_from(list(AuditOutcome)), max_size=30))
def test_a_tally_counts_what_has_an_answer(outcomes):
    tally = tally_of(outcomes)

    assert tally.missed == outcomes.count(MISSED)
    assert tally.audited + tally.undecided == len(outcomes)
    assert tally.undecided == outcomes.count(AuditOutcome.UNDECIDED)
    assert tally.missed < tally.most_missed * tally.audited or tally.audited == tally.missed


def test_the_more_audits_without_a_find_the_smaller_the_bound():
    bounds = [tally_of([AuditOutcome.UNCHANGED] * number).most_missed for number in range(100)]

    assert bounds == sorted(bounds, reverse=True)
    assert 0.035 < bounds[84] < 0.036


def counted(percent: float, verdict: Verdict, metric: Metric = Metric.INSTRUCTIONS) -> Compared:
    log = log1p(percent / 100)
    case = Case("pack", valid_of(SPACE)[0])
    return Compared(case, metric, 0.01, verdict, "", Ratio(log, log, log, 2, 1.0))


@pytest.mark.parametrize(
    ("compared", "expected"),
    [
        ([counted(0.0, Verdict.EQUAL), counted(-0.31, Verdict.EQUAL)], True),
        ([counted(-3.0, Verdict.FASTER)], True),
        ([counted(0.2, Verdict.EQUAL)], False),
        ([counted(0.6, Verdict.EQUAL), counted(1.2, Verdict.SLOWER)], False),  # it is told already
        ([counted(0.6, Verdict.EQUAL, Metric.CPU)], False),  # times always move
        ([], False),
    ],
)
def test_counts_move_below_the_threshold_or_downwards(compared, expected):
    assert moves(compared) is expected


def test_the_case_that_grows_most_is_found_and_all_beside_it_are_valid():
    compared = [counted(-3.0, Verdict.FASTER), counted(0.4, Verdict.EQUAL), counted(0.1, Verdict.EQUAL)]
    compared[1] = replace(compared[1], case=Case("pack", valid_of(SPACE)[-1]))

    grown = most_grown(compared)

    assert grown == compared[1].case
    assert set(cases_beside(SPACE, grown)) == {
        Case("pack", each)
        for each in valid_of(SPACE)
        if sum(each[name] != grown.configuration[name] for name in "abc") == 1
    }
