from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Literal, Option
from tests.values import option_values


@given(st.dictionaries(st.sampled_from("abcde"), option_values))
def test_a_configuration_does_not_depend_on_the_order_in_which_it_was_written(values):
    assert Configuration.of(values) == Configuration.of(dict(reversed(values.items())))
    assert {literal.option: literal.value for literal in Configuration.of(values)} == values


def test_literals_read_as_people_write_them():
    configuration = Configuration.of({"level": 9, "checksum": True, "filter": False, "algorithm": "lz"})

    assert str(configuration) == "algorithm=lz,checksum,!filter,level=9"
    assert configuration["level"] == 9
    assert str(Literal("x", 0)) == "x=0"
    assert str(Literal("x", 1.5)) == "x=1.5"


def test_an_option_is_a_switch_a_number_or_one_of_several():
    switch = Option("verbose", (False, True), False)
    number = Option("level", (1, 9.5), 1)
    several = Option("algorithm", ("lz", "rle"), "lz")

    assert (switch.is_switch, switch.is_numeric) == (True, False)
    assert (number.is_switch, number.is_numeric) == (False, True)
    assert (several.is_switch, several.is_numeric) == (False, False)
