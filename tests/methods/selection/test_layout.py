"""Data that move are no change of code, but string functions may notice them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.evidence import Activity, DataObject, ProfiledFunction, ProgramTraits
from sonde.core.results import Metric
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.proof import Doubt, Proven
from tests.methods.selection.test_proof import (
    COPY,
    LEVELS,
    MAIN,
    OLD,
    RAN,
    REPORT,
    SIZES,
    function,
    tried,
    with_function,
    with_object,
)
from tests.methods.selection.toy_programs import OUTPUT

READING = replace(RAN, text_functions={"strlen": 50})
MOVED = {
    "what a function takes the address of": with_function(COPY, function("2", layout=7)),
    "an object": with_object(SIZES, DataObject("b", 8, True, layout=7)),
}


@pytest.mark.parametrize("moved", MOVED.values(), ids=MOVED)
def test_where_data_moved_string_functions_may_take_more_steps(moved):
    doubt = tried(moved, profile=READING)

    assert isinstance(doubt, Doubt)
    assert doubt.reasons == doubt.moved
    assert "strlen" in doubt.reasons[0]
    assert difference_between(OLD, moved).is_none


@pytest.mark.parametrize("moved", MOVED.values(), ids=MOVED)
def test_moved_data_do_not_matter_where_nobody_goes_through_texts(moved):
    assert isinstance(tried(moved), Proven)
    assert isinstance(tried(moved, profile=replace(RAN, text_functions={"strlen": 1})), Proven)
    assert isinstance(tried(moved, profile=READING, metric=Metric.WALL), Proven)


def test_comparing_two_texts_may_cost_more_than_searching_in_one():
    costs = {MAIN.name: Activity(1, 10**5, 10**5)}
    profile = replace(
        RAN, activities={ProfiledFunction(OUTPUT, "", name): each for name, each in costs.items()}
    )
    moved = with_function(MAIN, replace(OLD.functions[MAIN], layout=7))

    for name, kind in (("strlen", Proven), ("strcmp", Doubt), ("", Doubt)):
        assert isinstance(tried(moved, profile=replace(profile, text_functions={name: 40})), kind)


def test_only_data_that_the_benchmark_may_read_count():
    out_of_reach = with_function(REPORT, function("3", layout=7))

    assert isinstance(tried(out_of_reach, profile=READING), Proven)


def test_nameless_data_count_in_outputs_that_took_part():
    def laid_out(layout, output=OUTPUT):
        return replace(OLD, programs={output: ProgramTraits("", frozenset(), False, layout)})

    assert isinstance(tried(laid_out(2), laid_out(1), READING), Doubt)
    assert isinstance(tried(laid_out(2, "lib/extra.so"), laid_out(1, "lib/extra.so"), READING), Proven)


def test_string_functions_of_the_build_itself_count():
    old = with_function(COPY, function("2"))
    renamed = {
        ProfiledFunction(OUTPUT, "", "copy"): Activity(1, 100, 100),
        ProfiledFunction(OUTPUT, "", "strlen"): Activity(9, 9, 9),
    }
    old = with_function(COPY._replace(name="strlen"), function("4"), old)
    new = with_function(COPY, function("2", layout=7), old)

    assert isinstance(tried(new, old, replace(RAN, activities=renamed)), Doubt)


def test_what_changed_is_told_as_a_change_and_not_as_moved():
    changed = with_function(MAIN, function("9", layout=7, refers_to=frozenset({LEVELS})))

    doubt = tried(changed, profile=READING)

    assert isinstance(doubt, Doubt)
    assert doubt.touched
    assert not doubt.moved


def test_the_layout_is_no_part_of_the_code():
    for moved in MOVED.values():
        assert moved.fingerprint == OLD.fingerprint
        assert moved.layout != OLD.layout
    assert with_function(REPORT, function("5")).layout == OLD.layout
