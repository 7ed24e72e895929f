"""Profiles are joined to snapshots: rather to too many functions than to none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

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
from sonde.methods.selection.reach import reach_of
from tests.evidence_values import profiles, snapshots

PACK, LIB = "bin/pack", "lib/libpack.so.1"


def function(*, calls=(), refers_to=()):
    return Function("c", "c", frozenset(), "r", "t", 5, frozenset(calls), frozenset(refers_to))


def snapshot(functions, objects=None, **more):
    return Snapshot(
        {PACK: Language.MACHINE, LIB: Language.MACHINE},
        functions,
        objects or {},
        startup={},
        files={},
        **more,
    )


def profile(*ran, nameless=0):
    activities = {place: Activity(2, 30, 40) for place in ran}
    return Profile(CostUnit.INSTRUCTIONS, activities, nameless, {}, {}, None)


def test_a_place_is_the_function_of_its_name_without_counters():
    key = Key(PACK, "", "copy.constprop")

    reach = reach_of(
        profile(ProfiledFunction(PACK, "copy.c", "copy.constprop.0")), snapshot({key: function()})
    )

    assert reach.activities == {key: Activity(2, 30, 40)}
    assert reach.unjoined == 0


def test_the_source_tells_functions_of_one_name_apart_and_where_it_does_not_all_are_meant():
    one, other = Key(PACK, "a.c", "usage"), Key(PACK, "b.c", "usage")
    build = snapshot({one: function(), other: function()})

    assert set(reach_of(profile(ProfiledFunction(PACK, "a.c", "usage")), build).activities) == {one}
    assert set(reach_of(profile(ProfiledFunction(PACK, "usage.h", "usage")), build).activities) == {
        one,
        other,
    }
    assert set(reach_of(profile(ProfiledFunction(PACK, "", "usage")), build).activities) == {one, other}


def test_clones_of_one_name_add_up():
    key = Key(PACK, "", "copy.part")

    reach = reach_of(
        profile(ProfiledFunction(PACK, "", "copy.part.0"), ProfiledFunction(PACK, "", "copy.part.1")),
        snapshot({key: function()}),
    )

    assert reach.activities == {key: Activity(4, 60, 80)}


def test_an_alias_is_the_function_that_it_names():
    key, alias = Key(PACK, "", "copy"), Key(PACK, "", "copy_all")
    build = snapshot({key: function()}, aliases={alias: key})

    reach = reach_of(profile(ProfiledFunction(PACK, "", "copy_all")), build)

    assert set(reach.activities) == {key}
    assert reach.names == {"copy", "copy_all"}


def test_what_the_snapshot_does_not_know_is_unjoined_and_too_much_of_it_is_refused():
    key = Key(PACK, "", "copy")
    found = profile(ProfiledFunction(PACK, "", "copy"), ProfiledFunction(PACK, "", "jit"), nameless=40)

    reach = reach_of(found, snapshot({key: function()}))

    assert reach.unjoined == pytest.approx(0.7)
    assert reach.refusal == "70 % of the profile belong to no function of the build (jit)"


def test_an_empty_profile_is_refused():
    assert reach_of(profile(), snapshot({})).refusal is not None


def test_data_is_reached_through_other_data_and_not_from_functions_that_did_not_run():
    levels, sizes, quiet = (Key(PACK, "", name) for name in ("levels", "sizes", "quiet"))
    build = snapshot(
        {
            Key(PACK, "", "main"): function(refers_to=[levels]),
            Key(PACK, "", "usage"): function(refers_to=[quiet]),
        },
        {
            levels: DataObject("1", 8, True, refers_to=frozenset({sizes})),
            sizes: DataObject("2", 8, True),
            quiet: DataObject("3", 8, True),
        },
    )

    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), build).objects == {levels, sizes}


def test_data_of_the_same_name_in_another_output_may_be_the_one_that_is_read():
    mine, theirs = Key(PACK, "", "levels"), Key(LIB, "", "levels")
    nobody = Key(LIB, "", "usage")
    functions = {
        Key(PACK, "", "main"): function(calls=["plt:levels"]),
        nobody: function(refers_to=[mine, theirs]),
    }
    objects = {mine: DataObject("1", 8, True), theirs: DataObject("2", 8, True)}
    loading = snapshot(functions, objects, libraries={PACK: frozenset({"libpack.so.1"})})

    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), loading).objects == {mine, theirs}
    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), snapshot(functions, objects)).objects == {
        mine
    }


def test_data_in_a_section_that_is_gone_through_counts_where_its_output_took_part():
    plugin, elsewhere, other = (
        Key(PACK, "", "plugin"),
        Key("bin/other", "", "plugin2"),
        Key(PACK, "", "other"),
    )
    build = snapshot(
        {Key(PACK, "", "main"): function()},
        {
            plugin: DataObject("1", 8, True, is_gathered=True),
            elsewhere: DataObject("2", 8, True, is_gathered=True),
            other: DataObject("3", 8, True),
        },
    )

    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), build).objects == {plugin}


def test_all_data_counts_where_something_that_ran_looks_up_names():
    levels = Key(PACK, "", "levels")
    build = snapshot(
        {Key(PACK, "", "main"): function(calls=["plt:dlsym"])}, {levels: DataObject("1", 8, True)}
    )

    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), build).objects == {levels}


def test_a_library_of_what_ran_took_part():
    build = snapshot({Key(PACK, "", "main"): function()}, libraries={PACK: frozenset({"libpack.so.1"})})

    assert reach_of(profile(ProfiledFunction(PACK, "", "main")), build).outputs == {PACK, LIB}


@given(snapshots, profiles)
def test_anything_can_be_joined(build, found):
    reach = reach_of(found, replace(build, aliases={}))

    assert set(reach.activities) <= set(build.functions)
    assert 0 <= reach.unjoined <= 1
