"""Indicators are what Table I of the paper says, with percentiles from 0 to 100."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.evidence import (
    Activity,
    CostUnit,
    DataObject,
    Function,
    Key,
    Language,
    Profile,
    ProfiledFunction,
    Snapshot,
)
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.indicators import INDICATORS, PAPER, values_of
from sonde.methods.selection.reach import reach_of

OUTPUT = "bin/pack"
NAMES = ("main", "copy", "match", "usage", "report", "flush")


def key(name):
    return Key(OUTPUT, "", name)


def function(code, length, calls=(), refers_to=()):
    return Function(code, code, frozenset(), code, "", length, frozenset(calls), frozenset(refers_to))


def snapshot(functions, objects=None):
    return Snapshot(
        {OUTPUT: Language.MACHINE},
        {key(name): each for name, each in functions.items()},
        objects or {},
        startup={},
        files={},
    )


def profile(ran, unit=CostUnit.INSTRUCTIONS, outside=0):
    activities = {ProfiledFunction(OUTPUT, "", name): activity for name, activity in ran.items()}
    return Profile(unit, activities, 0, {"libc": outside}, {}, None)


def values(old, new, found):
    return values_of(exposure_to(difference_between(old, new), reach_of(found, old)))


def table_one(old, new, ran):
    """The eight templates by the words of the paper, function by function."""
    common = [name for name in old if name in new]
    changed = [name for name in common if old[name][0] != new[name][0]]

    def change(name):
        return 100 * abs(new[name][1] - old[name][1]) / max(old[name][1], 1)

    def rank(names, heat):
        """The smallest X such that one of the X % hottest functions is among `names`, seen from 100."""
        best = 0.0
        for name in names:
            no_hotter = [other for other in ran if heat(other) <= heat(name)]
            best = max(best, 100 * len(no_hotter) / len(ran))
        return best

    reached = [name for name in changed if name in ran]
    much = [name for name in reached if change(name) >= 10]
    return {
        "del": len([name for name in old if name not in new]),
        "new": len([name for name in new if name not in old]),
        "rdel": len([name for name in old if name not in new and name in ran]),
        "topcall": rank(reached, lambda name: ran[name].calls),
        "topcall10": rank(much, lambda name: ran[name].calls),
        "topinstr": rank(reached, lambda name: ran[name].own),
        "len": max([change(name) for name in changed], default=0.0),
        "rlen": max([change(name) for name in reached], default=0.0),
    }


builds = st.dictionaries(st.sampled_from(NAMES), st.tuples(st.sampled_from("xyz"), st.integers(0, 30)))


@given(old=builds, new=builds, data=st.data())
def test_the_eight_templates_are_those_of_the_paper(old, new, data):
    activity = st.builds(Activity, st.integers(1, 5), st.integers(0, 50), st.integers(0, 50))
    ran = data.draw(st.dictionaries(st.sampled_from(sorted(old)), activity)) if old else {}

    found = values(
        snapshot({name: function(*each) for name, each in old.items()}),
        snapshot({name: function(*each) for name, each in new.items()}),
        profile(ran),
    )

    expected = table_one(old, new, ran)
    assert {indicator.name: found[indicator.name] for indicator in PAPER} == pytest.approx(expected)
    assert list(found) == list(INDICATORS)


OLD = {"main": function("1", 10), "match": function("2", 100), "copy": function("3", 20)}
RAN = {"main": Activity(1, 50, 800), "match": Activity(10, 700, 700), "copy": Activity(99, 50, 50)}


def test_shares_are_of_the_whole_cost_and_count_what_is_gone():
    new = {"main": OLD["main"], "match": function("other", 150)}

    found = values(snapshot(OLD), snapshot(new), profile(RAN, outside=200))

    assert found["share"] == pytest.approx(75)
    assert found["maxshare"] == pytest.approx(70)
    assert found["weight"] == pytest.approx(70 * 0.5 + 5)
    assert found["wdelta"] == pytest.approx(10 * 50 / 1000)
    assert (found["nch"], found["nrch"], found["rdel"]) == (1, 1, 1)


def test_changed_constants_show_though_no_function_changed():
    levels, pointer = key("levels"), key("pointer")
    old = {**OLD, "match": function("2", 100, refers_to=[pointer])}

    def objects(content):
        return {
            pointer: DataObject("p", 8, True, refers_to=frozenset({levels})),
            levels: DataObject(content, 8, True),
        }

    found = values(snapshot(old, objects("1")), snapshot(old, objects("2")), profile(RAN, outside=200))

    assert (found["objch"], found["nrch"], found["share"]) == (1, 0, 0)
    assert found["readshare"] == pytest.approx(70)


def test_new_functions_that_changed_ones_call_are_newly_reached_and_others_are_not():
    new = {
        **OLD,
        "match": function("other", 100, calls=["fast"]),
        "fast": function("4", 5, calls=["faster"]),
        "faster": function("5", 5),
        "unrelated": function("6", 5),
    }

    found = values(snapshot(OLD), snapshot(new), profile(RAN))

    assert (found["new"], found["newref"]) == (3, 2)


def test_samples_rank_by_what_was_on_the_stack():
    new = {**OLD, "main": function("other", 10)}

    assert values(snapshot(OLD), snapshot(new), profile(RAN, CostUnit.SAMPLES))["topcall"] == 100
    assert values(snapshot(OLD), snapshot(new), profile(RAN))["topcall"] == pytest.approx(100 / 3)


@pytest.mark.parametrize(
    ("name", "threshold", "words"),
    [
        ("topinstr", 90, "a function changed that is among its 10 % hottest ones"),
        ("topinstr", 100, "its hottest function changed"),
        ("topcall10", 60, "a function changed by 10 % of its length that is among its 40 % most called ones"),
        ("rdel", 0.5, "1 or more functions it runs were deleted"),
        ("share", 42.25, "changed functions take at least 42.25 % of its cost"),
        ("objch", 1, "1 or more constants or texts it reads changed"),
    ],
)
def test_conditions_read_as_english(name, threshold, words):
    assert INDICATORS[name].condition(threshold) == words
