"""Configurations as rows, and literals that hold in them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, term_holds
from sonde.space.space import Space
from tests.methods.pinpointing.shared_steps.made_sheets import all_terms, does_hold, is_possible

VALUES = [(False, True), (True, False), (1, 5, 9), ("lz", "rle"), (0.5, 1.5, 2.5), (True,)]


@st.composite
def some_options(draw):
    chosen = draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=4))
    return [Option(f"o{number}", values, values[0]) for number, values in enumerate(chosen)]


def some_configurations(options):
    return st.fixed_dictionaries({option.name: st.sampled_from(option.values) for option in options}).map(
        Configuration.of
    )


@given(options=some_options(), data=st.data())
def test_a_row_and_its_configuration_say_the_same(options, data):
    alphabet = Alphabet(Space(tuple(options)))
    configuration = data.draw(some_configurations(options))

    row = alphabet.row(configuration)

    assert alphabet.configuration(row) == configuration
    assert {alphabet.literals[index] for index in alphabet.literal_indices(row)} == set(configuration)
    (held,) = alphabet.holds(row[None])
    literals = held[: len(alphabet.literals)]
    assert {alphabet.literals[index] for index in np.nonzero(literals)[0]} == set(configuration)


@given(options=some_options(), data=st.data())
def test_a_term_holds_where_all_of_its_literals_do(options, data):
    alphabet = Alphabet(Space(tuple(options)))
    configurations = data.draw(st.lists(some_configurations(options), min_size=1, max_size=5))
    held = alphabet.holds(np.array([alphabet.row(each) for each in configurations]))

    for key in all_terms(alphabet, 2):
        assert term_holds(held, key).tolist() == [does_hold(key, each, alphabet) for each in configurations]


@given(options=some_options(), data=st.data())
def test_with_literals_they_hold_and_the_rest_stays(options, data):
    alphabet = Alphabet(Space(tuple(options)))
    configuration = data.draw(some_configurations(options))
    key = data.draw(st.sampled_from([key for key in all_terms(alphabet, 3) if is_possible(key, alphabet)]))
    row = alphabet.row(configuration)

    changed = alphabet.configuration(alphabet.with_literals(row, key))

    named = {alphabet.options[alphabet.option_of[index]].name for index in key}
    assert does_hold(key, changed, alphabet)
    assert all(changed[each.option] == each.value for each in configuration if each.option not in named)
    assert alphabet.configuration(row) == configuration


def test_off_is_what_a_switch_says_and_not_zero():
    alphabet = Alphabet(Space((Option("a", (False, True), False), Option("level", (0, 1), 0))))

    assert alphabet.is_off.tolist() == [True, False, False, False]


def test_without_options_there_are_no_literals():
    alphabet = Alphabet(Space(()))

    row = alphabet.row(Configuration(()))
    assert alphabet.holds(row[None]).shape == (1, 0)
    assert alphabet.is_off.dtype == np.bool_
    assert alphabet.configuration(row) == Configuration(())


def test_two_denials_of_an_option_leave_what_neither_denies():
    alphabet = Alphabet(Space((Option("level", (1, 5, 9), 1),)))
    denials = {int(denied): len(alphabet.literals) + place for place, denied in enumerate(alphabet.denied)}

    for kept in range(3):
        both = [denials[each] for each in range(3) if each != kept]
        for start in range(3):
            assert alphabet.with_literals(np.array([start]), both).tolist() == [kept]
