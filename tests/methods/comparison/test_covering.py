"""Which further cases cover all changed code, beside the plain statement of the rules."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Case
from sonde.core.options import Configuration
from sonde.methods.comparison.covering import ExecutedChange, cover

CASES = [
    Case(benchmark, Configuration.of({"level": level, "fast": fast}))
    for benchmark, level, fast in product(("pack", "unpack"), (1, 5, 9), (False, True))
]
some_code = st.frozensets(st.sampled_from(["compress", "hash", "usage", "main"]))
functions = st.frozensets(st.sampled_from(["pack()", "main()"]))
worlds = st.dictionaries(st.sampled_from(CASES), st.builds(ExecutedChange, some_code, some_code, functions))


@given(executed=worlds, left=st.lists(st.sampled_from(CASES), unique=True))
def test_all_code_and_all_values_with_code_are_covered(executed, left):
    more = cover(executed, left)

    assert not set(more) & set(left)
    assert len(set(more)) == len(more)
    assert set(more) <= set(executed)
    measured = [case for case in (*left, *more) if case in executed]
    for case, each in executed.items():
        own = [other for other in measured if other.benchmark == case.benchmark]
        for code in each.surely:
            assert any(code in executed[other].surely for other in own)
        for code in each.possibly:
            assert any(code in executed[other].surely | executed[other].possibly for other in own)
        for code in each.around:
            assert any(code in executed[other].around for other in own)
        if each.surely or each.possibly:
            for literal in case.configuration:
                assert any(
                    literal in other.configuration and (executed[other].surely or executed[other].possibly)
                    for other in own
                )


@given(executed=worlds)
def test_what_is_covered_needs_nothing_more(executed):
    assert cover(executed, cover(executed, [])) == []


def test_few_cases_are_enough():
    base, fast, best = CASES[0], CASES[1], CASES[4]
    executed = {
        base: ExecutedChange(frozenset({"main"})),
        fast: ExecutedChange(frozenset({"main", "hash"})),
        best: ExecutedChange(),
    }

    assert cover(executed, []) == [fast, base]  # both have a value that the other lacks
    assert cover(executed, [base]) == [fast]


def test_code_that_is_surely_executed_somewhere_is_not_measured_where_it_may_be():
    maybe, surely = CASES[0], CASES[1]
    executed = {
        maybe: ExecutedChange(possibly=frozenset({"hash"})),
        surely: ExecutedChange(frozenset({"hash"})),
    }

    assert surely in cover(executed, [maybe])


def test_a_changed_function_around_is_measured_once_and_says_nothing_about_values():
    executed = {case: ExecutedChange(around=frozenset({"main"})) for case in CASES[:6]}

    assert cover(executed, []) == [CASES[0]]
