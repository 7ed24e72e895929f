"""Text from outside does not steer who shows it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.report.harmless import harmless
from sonde.report.tables import shortened, width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain ünïcode 漢字 🙂\tand\nlines", "plain ünïcode 漢字 🙂\tand\nlines"),
        ("\x1b[31mred\x07", "\\u001b[31mred\\u0007"),
        ("a\r\nb\rc", "a\nb\\u000dc"),
        ("\x9b2J", "\\u009b2J"),
        ("abc\u202edcba", "abc\\u202edcba"),
        ("tag\U000e0041", "tag\\udb40\\udc41"),
        ("::error::no", "\\u003a:error::no"),
        ("first\n  ::set-output name=x::y", "first\n  \\u003a:set-output name=x::y"),
        ("std::vector", "std::vector"),
        ("## [x] ##[group]y", "## [x] \\u0023#[group]y"),
    ],
)
def test_what_steers_is_shown_instead(text, shown):
    assert harmless(text) == shown


@given(st.text())
def test_json_keeps_its_meaning(text):
    assert json.loads(harmless(json.dumps({"a": text}, ensure_ascii=False))) == {"a": text}


@given(st.text())
def test_what_is_harmless_stays_as_it_is(text):
    assert harmless(harmless(text)) == harmless(text)


@given(st.text(), st.integers(1, 30))
def test_a_text_is_cut_to_the_columns_there_are(text, most):
    cut = shortened(text, most)

    assert width(cut) <= most
    assert cut.isprintable()


@given(st.text(st.characters(categories=["L", "M", "Nd"])), st.integers(2, 30))
def test_what_is_cut_is_the_longest_beginning_that_fits(text, most):
    cut = shortened(text, most)

    if width(text) <= most:
        assert cut == text
    else:
        longest = max((at for at in range(len(text) + 1) if width(text[:at]) <= most - 1), default=0)
        assert cut == text[:longest].rstrip() + "…"


def test_a_text_of_a_million_letters_is_cut_at_once():
    assert shortened("x" * 1_000_000, 10) == "xxxxxxxxx…"
