"""What changed cases have in common, beside the plain loop over all terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Case, Compared, Ratio, Verdict
from sonde.core.options import Configuration, Literal, OptionName, Term, Value
from sonde.core.results import Metric
from sonde.methods.comparison.patterns import LONGEST_TERM, TOLD, find_patterns, shared_term

VALUES: dict[OptionName, tuple[Value, ...]] = {
    "a": (False, True),
    "b": (False, True),
    "c": ("lz", "rle"),
    "level": (1, 5, 9),
}
EVERY = [Configuration.of(dict(zip(VALUES, chosen, strict=True))) for chosen in product(*VALUES.values())]
LITERALS = [Literal(option, value) for option, values in VALUES.items() for value in values]


def some(least: int = 0) -> st.SearchStrategy[list[Configuration]]:
    return st.lists(st.sampled_from(EVERY), min_size=least, max_size=8, unique=True)


def tells_apart(term: Term, changed: Sequence[Configuration], others: Sequence[Configuration]) -> bool:
    """Whether the term holds in all that changed and in none of the others."""
    holds = [term <= frozenset(each) for each in changed]
    return all(holds) and not any(term <= frozenset(each) for each in others)


def plainly(changed: Sequence[Configuration], others: Sequence[Configuration]) -> int | None:
    """The size of the smallest term that tells them apart, by trying every set of literals."""
    for size in range(LONGEST_TERM + 1):
        if any(tells_apart(frozenset(each), changed, others) for each in combinations(LITERALS, size)):
            return size
    return None


@given(changed=some(least=1), others=some())
def test_a_shared_term_tells_apart_and_none_is_smaller(changed, others):
    others = [each for each in others if each not in changed]

    term = shared_term(changed, others)

    smallest = plainly(changed, others)
    assert (None if term is None else len(term)) == smallest
    assert term is None or tells_apart(term, changed, others)


@given(changed=some(least=1), others=some(), data=st.data())
def test_a_shared_term_does_not_depend_on_the_order(changed, others, data):
    others = [each for each in others if each not in changed]
    again = shared_term(data.draw(st.permutations(changed)), data.draw(st.permutations(others)))

    assert again == shared_term(changed, others)


@given(literals=st.sets(st.sampled_from(LITERALS), min_size=1, max_size=2))
def test_a_change_in_exactly_one_term_is_named_by_it(literals):
    term = frozenset(literals)
    changed = [each for each in EVERY if term <= frozenset(each)]
    others = [each for each in EVERY if each not in changed]
    if changed:  # a term may have two values of one option
        assert shared_term(changed, others) == term


def test_a_change_without_a_common_cause_has_no_term():
    two = [each for each in EVERY if each["a"] != each["b"]]

    assert shared_term(two, [each for each in EVERY if each not in two]) is None


def compared(
    configuration: Configuration, verdict: Verdict, benchmark: str = "pack", log: float | None = None
) -> Compared:
    ratio = None if log is None else Ratio(log, log, log, 2, 0.0)
    return Compared(Case(benchmark, configuration), Metric.INSTRUCTIONS, 0.01, verdict, "", ratio)


@given(verdicts=st.lists(st.sampled_from(Verdict), max_size=24))
def test_every_case_that_is_worth_telling_is_in_one_pattern(verdicts):
    cases = [compared(each, verdict) for each, verdict in zip(EVERY, verdicts, strict=False)]

    found = find_patterns(cases)

    assert {each.verdict for each in found} == set(verdicts) & set(TOLD)
    assert len(found) == len({each.verdict for each in found})
    assert all(each.cases == verdicts.count(each.verdict) for each in found)
    assert all(each.of_cases == len(cases) for each in found)


def test_regressions_come_first_and_sizes_are_those_of_the_smallest_and_the_largest():
    plain, fast, deep = EVERY[0], EVERY[1], EVERY[2]
    found = find_patterns(
        [
            compared(plain, Verdict.FASTER, log=-0.2),
            compared(fast, Verdict.SLOWER, log=0.3),
            compared(deep, Verdict.SLOWER, log=0.1),
            compared(plain, Verdict.FAILS, "unpack"),
        ]
    )

    assert [(each.benchmark, each.verdict) for each in found] == [
        ("pack", Verdict.SLOWER),
        ("unpack", Verdict.FAILS),
        ("pack", Verdict.FASTER),
    ]
    slower, fails, _ = found
    assert slower.least is not None
    assert slower.most is not None
    assert (slower.least.log, slower.most.log) == (0.1, 0.3)
    assert (fails.least, fails.most) == (None, None)


def test_what_is_proven_tells_where_a_change_is_not_but_counts_as_unmeasured():
    on = [each for each in EVERY if each["a"]]
    off = [Case("pack", each) for each in EVERY if not each["a"]]
    slower = [compared(each, Verdict.SLOWER, log=0.1) for each in on]

    (alone,) = find_patterns(slower)
    (beside,) = find_patterns(slower, off)
    (elsewhere,) = find_patterns(slower, [Case("unpack", each.configuration) for each in off])

    assert alone.term == elsewhere.term == frozenset()
    assert beside.term == frozenset({Literal("a", True)})
    assert alone.of_cases == beside.of_cases == len(on)


def test_nothing_is_told_where_nothing_changed():
    assert find_patterns([]) == ()
    assert find_patterns([compared(EVERY[0], Verdict.EQUAL), compared(EVERY[1], Verdict.BROKEN)]) == ()


def test_of_options_that_explain_a_change_equally_well_a_related_one_is_named():
    changed = [Configuration.of({"strong": True, "check": False})]
    others = [Configuration.of({"strong": False, "check": True})]

    assert shared_term(changed, others, ["strong"]) == frozenset({Literal("strong", True)})
    assert shared_term(changed, others, ["check"]) == frozenset({Literal("check", False)})
