from itertools import product

from sonde.core.findings.impacts import Classes, Partition
from sonde.core.options import Configuration, Option
from sonde.space.space import Space
from sonde.workflows.impact.measuring import reduced

SPACE = Space.of([Option(name, (False, True), False) for name in ("a", "b", "c")])
NESTED = Classes(
    ("a", "b"), (((False, False), None), ((False, True), None), ((True, False), 0), ((True, True), 1)), ()
)


def chosen(**on: bool) -> Configuration:
    return Configuration.of({"a": False, "b": False, "c": False} | on)


def test_without_a_partition_every_combination_is_measured():
    found = reduced(SPACE, ["a", "b"])

    assert len(found.configurations) == found.combinations == 4
    assert found.not_executed == 0


def test_configurations_in_which_the_change_does_nothing_are_left_out():
    found = reduced(SPACE, ["a", "b"], Partition((NESTED,)))

    assert found.configurations == (chosen(a=True), chosen(a=True, b=True))
    assert found.not_executed == 2


def test_of_configurations_that_are_alike_the_first_is_measured():
    alike = Classes(("a",), (((False,), 0), ((True,), 0)), ())

    found = reduced(SPACE, ["a"], Partition((alike,)))

    assert found.configurations == (chosen(),)
    assert found.combinations == 2


def test_a_configuration_is_left_out_only_if_the_change_does_nothing_in_any_program():
    other = Classes((), (((), 0),), ())

    found = reduced(SPACE, ["a", "b"], Partition((NESTED, other)))

    assert found.not_executed == 0
    assert found.configurations == (chosen(), chosen(a=True), chosen(a=True, b=True))


def test_each_value_counts_of_options_that_the_partition_is_not_about():
    found = reduced(SPACE, ["a", "b", "c"], Partition((NESTED,)))

    assert found.configurations == tuple(
        chosen(a=True, b=b, c=c) for b in (False, True) for c in (False, True)
    )


def test_a_partition_that_leaves_nothing_is_not_trusted():
    nothing = Classes(("a",), (((False,), None), ((True,), None)), ())

    found = reduced(SPACE, ["a"], Partition((nothing,)))

    assert len(found.configurations) == 2
    assert found.not_executed == 0


def test_values_of_options_behind_hot_code_meet_those_of_related_options():
    found = reduced(SPACE, ["a"], behind=["b", "c"])

    assert found.combinations == 2
    assert found.beside == len(found.configurations) - 2
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        assert {(each[one], each[other]) for each in found.configurations} == set(
            product((False, True), repeat=2)
        )


def test_without_related_options_pairs_of_those_behind_hot_code_are_tried():
    found = reduced(SPACE, [], behind=["a"])

    assert found.configurations == (chosen(), chosen(a=True))


def test_where_all_combinations_are_hardly_more_than_pairs_all_of_them_are_tried():
    found = reduced(SPACE, ["a", "b"], behind=["c"])

    assert len(found.configurations) == 8


def test_where_they_are_many_more_only_pairs_are_tried():
    space = Space.of([Option(name, (False, True), False) for name in "abcdefgh"])

    found = reduced(space, ["a"], behind="bcdefgh")

    assert len(found.configurations) < 16
