from sonde.core.impacts import Classes, Partition
from sonde.core.options import Configuration, Option
from sonde.space.space import Space
from sonde.workflows.impact_measuring import reduced

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


def test_values_are_tried_one_by_one_where_options_are_single():
    found = reduced(SPACE, ["a", "b"], Partition((), frozenset({"a", "b"})))

    assert found.configurations == (chosen(), chosen(b=True), chosen(a=True))
    assert found.is_one_by_one


def test_a_value_that_needs_another_one_is_tried_with_it():
    space = Space.of([Option(name, (False, True), False) for name in ("a", "b", "c")], ["not a or b"])

    found = reduced(space, ["a", "b"], Partition((), frozenset({"a", "b"})))

    assert found.configurations == (chosen(), chosen(b=True), chosen(a=True, b=True))
