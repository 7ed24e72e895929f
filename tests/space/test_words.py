"""How a configuration becomes words and variables."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option, Phase
from sonde.space.templates import LoneBrace, TemplateField, places
from sonde.space.words import Spelling, fill, option_variable, spell, split_words

SWITCH = (False, True)
OPTIONS = (
    Option("level", (1, 5), 5, words="--level={value} {{}}"),
    Option("checksum", SWITCH, False, words="--checksum -v", off_words="--no-checksum"),
    Option("mode", ("a b", "c"), "c", words="--mode {value}", environment="MODE"),
    Option("fast", SWITCH, True, environment="FAST"),
    Option("lto", SWITCH, False, words="LTO=1", phase=Phase.BUILD),
)

ANY_WORD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


def chosen(**values):
    return Configuration.of({option.name: option.default for option in OPTIONS} | values)


def everywhere(_):
    return True


def test_each_option_gives_its_words_in_the_order_of_the_options():
    spelling = spell(OPTIONS, chosen(mode="a b"), Phase.LOAD, everywhere)

    assert spelling.words == ("--level=5", "{}", "--no-checksum", "--mode", "a b")
    assert spelling.variables == {"MODE": "a b", "FAST": "1"}


def test_options_of_the_other_phase_give_nothing():
    assert spell(OPTIONS, chosen(lto=True), Phase.BUILD, everywhere) == Spelling(("LTO=1",), {})


def test_options_that_do_not_exist_at_the_revision_give_nothing():
    spelling = spell(OPTIONS, chosen(checksum=True), Phase.LOAD, lambda option: option.name == "checksum")

    assert spelling == Spelling(("--checksum", "-v"), {})


def test_a_line_is_filled_with_the_build_the_words_and_single_values():
    filled = fill(
        "{build}/packer {options} -n{level} -c{checksum} '{{x}}'", "/b", Spelling(("--a", "b c")), chosen()
    )

    assert filled == "/b/packer --a 'b c' -n5 -c0 '{x}'"


@pytest.mark.parametrize(
    "line", ["p {mode} q", "p 'x {mode}' q", 'p "x {mode}" q', "p x{mode}y q", 'p "\\"{mode}" q']
)
@given(value=ANY_WORD)
def test_a_value_stays_one_word_in_any_quotes(line, value):
    expected = [word.replace("{mode}", value) for word in shlex.split(line)]

    assert shlex.split(fill(line, "/b", Spelling(), chosen(mode=value))) == expected


@pytest.mark.parametrize("line", ["p {options}", "sh -c 'p {options}'", 'sh -c "p {options}"'])
@given(words=st.lists(ANY_WORD).map(tuple))
def test_words_stay_apart_even_in_the_line_of_an_inner_shell(line, words):
    outer = shlex.split(fill(line, "/b", Spelling(words), chosen()))
    inner = shlex.split(outer[2]) if outer[0] == "sh" else outer

    assert inner == ["p", *words]


@given(text=ANY_WORD)
def test_doubled_braces_are_literal(text):
    doubled = text.replace("{", "{{").replace("}", "}}")

    assert fill(doubled, "/b", Spelling(), chosen()) == text
    assert places(doubled) == ()


def test_places_are_found_with_their_columns():
    assert places("{build}/x {no-cache} {{y}}") == (TemplateField("build", 1), TemplateField("no-cache", 11))


@pytest.mark.parametrize(("line", "column"), [("awk {print $1}", 5), ("a }", 3), ("${", 2)])
def test_a_lone_brace_is_a_mistake_with_its_column(line, column):
    with pytest.raises(LoneBrace) as caught:
        places(line)

    assert caught.value.column == column


def test_the_variable_of_an_option_has_capitals_and_digits_only():
    assert option_variable("io.no-cache2") == "SONDE_OPT_IO_NO_CACHE2"


@given(line=st.text(st.sampled_from("ab-_/.:=,@%+ \t\n\r\f\x1c'\"\\#$~*é\u2003")))
def test_a_line_is_split_as_shlex_splits_it(line):
    def split(how):
        try:
            return tuple(how(line))
        except ValueError as mistake:
            return str(mistake)

    assert split(split_words) == split(shlex.split)
