"""The functions behind a difference, from two profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given

from sonde.core.evidence import Activity, CostUnit, Profile, ProfiledFunction
from sonde.core.findings.comparisons import Grown
from sonde.methods.comparison.growth import NAMELESS, find_growth
from tests.evidence_values import PROFILE, profiles

PROGRAM = "bin/pack"


def profile(own: Mapping[str, int], output: str = PROGRAM, **others: object) -> Profile:
    """A profile in which `main` calls each other function, as often as its name is long."""
    costs = {"main": 1000, **own}
    everything = sum(costs.values())
    activities = {
        ProfiledFunction(output, "", name): Activity(len(name), cost, everything if name == "main" else cost)
        for name, cost in costs.items()
    }
    plain = replace(PROFILE, activities=activities, nameless=0, outside={})
    return replace(plain, **others)  # type: ignore[arg-type]


def shares(grown: tuple[Grown, ...]) -> dict[str, float]:
    return {each.name: round(each.share, 3) for each in grown}


def test_the_function_that_grew_most_comes_first():
    grown = find_growth(
        profile({"fill": 500, "sort": 300, "write": 200}), profile({"fill": 600, "sort": 900, "write": 200})
    )

    assert grown == (Grown("sort", 300, 900, 6 / 7), Grown("fill", 500, 600, 1 / 7))


def test_what_shrank_while_the_whole_grew_works_against_it():
    grown = find_growth(profile({"fill": 500, "sort": 300}), profile({"fill": 300, "sort": 900}))

    assert shares(grown) == {"sort": 1.0, "fill": -0.333}


def test_what_shrank_most_comes_first_if_the_whole_shrank():
    grown = find_growth(profile({"fill": 500, "sort": 900}), profile({"fill": 400, "sort": 300}))

    assert [each.name for each in grown] == ["sort", "fill"]
    assert all(each.share > 0 for each in grown)


def test_new_and_deleted_functions_are_told():
    grown = find_growth(profile({"old": 70}), profile({"quite_new": 900}))

    assert grown == (Grown("quite_new", 0, 900, 1.0), Grown("old", 70, 0, -70 / 900))


def test_clones_of_a_function_are_the_function():
    grown = find_growth(
        profile({"sort": 500}), profile({"sort.constprop.0": 300, "sort.part.0.isra.2": 400, "a.main": 1})
    )

    assert grown == (Grown("sort", 500, 700, 200 / 201),)


def test_a_function_that_was_renamed_is_one():
    grown = find_growth(profile({"sort": 500, "fill": 100}), profile({"rank": 520, "fill": 200}))

    assert shares(grown) == {"fill": 0.833, "rank (was sort)": 0.167}


def test_a_function_that_might_have_been_renamed_to_two_is_left_alone():
    grown = find_growth(profile({"sort": 500}), profile({"rank": 520, "heap": 510}))

    assert {each.name for each in grown} == {"sort", "rank", "heap"}


def test_a_function_that_was_put_into_its_caller_counts_with_it():
    base, head = profile({"step": 500, "fill": 100}), profile({"fill": 190})
    head = replace(
        head,
        activities={**head.activities, ProfiledFunction(PROGRAM, "", "main"): Activity(1, 1450, 1640)},
    )

    assert shares(find_growth(base, head)) == {"fill": 1.0, "main (with step)": -0.556}


def test_a_function_that_moved_to_another_output_is_one():
    assert find_growth(profile({"sort": 500}), profile({"sort": 600}, output="lib/pack.so")) == (
        Grown("sort", 500, 600, 1.0),
    )


def test_code_outside_of_the_build_counts_by_its_file_and_nameless_code_as_one():
    grown = find_growth(
        profile({}, outside={"/lib/libc.so.6": 40}, nameless=10),
        profile({}, outside={"/usr/lib/libc.so.6": 100}, nameless=50),
    )

    assert shares(grown) == {"libc.so.6": 0.6, NAMELESS: 0.4}


@pytest.mark.parametrize("unit", [CostUnit.NANOSECONDS, CostUnit.SAMPLES])
def test_times_and_samples_name_nobody(unit):
    assert find_growth(profile({"sort": 1}, unit=unit), profile({"sort": 99}, unit=unit)) == ()


@given(one=profiles)
def test_a_profile_does_not_differ_from_itself(one):
    assert find_growth(one, one) == ()


@given(base=profiles, head=profiles)
def test_shares_of_those_that_took_part_are_one_together_at_the_most(base, head):
    base, head = (replace(each, unit=CostUnit.INSTRUCTIONS) for each in (base, head))
    grown = find_growth(base, head)

    assert (grown == ()) <= (base.total == head.total)
    assert sum(each.share for each in grown if each.share > 0) <= 1 + 1e-9
    sign = 1 if head.total > base.total else -1
    assert all((each.share > 0) == (sign * (each.after - each.before) > 0) for each in grown)
    assert list(grown) == sorted(grown, key=lambda each: -each.share)
