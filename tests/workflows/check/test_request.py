"""How the two revisions of a check are written."""

import pytest

from sonde.core.errors import UsageError
from sonde.methods.comparison.definition_6 import Definition6
from sonde.workflows.check.request import ends_of, parse_definition_6


@pytest.mark.parametrize(
    ("written", "ends"), [("a..b", ("a", "b")), ("a..", ("a", "")), ("b", ("", "b")), ("", ("", ""))]
)
def test_a_range_is_a_base_and_a_head(written, ends):
    assert ends_of(written) == ends


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("..b", "has no base. Perhaps a variable of the CI job is empty"),
        ("..", "or only 'HEAD'"),
        ("a..b..c", "Write BASE..HEAD, such as 'a..c'"),
        ("a...b", "two dots"),
    ],
)
def test_what_cannot_be_meant_is_refused(written, words):
    with pytest.raises(UsageError, match=words):
        ends_of(written)


def test_the_numbers_of_definition_6_are_written_by_their_names():
    assert parse_definition_6("") == Definition6(0.1, 3.0)
    assert parse_definition_6("k=2.5") == Definition6(0.1, 2.5)
    assert parse_definition_6("epsilon=5%, k=1") == Definition6(0.05, 1.0)


@pytest.mark.parametrize("written", ["5%", "k=", "k=-1", "k=1.2.3", "sigma=3", "epsilon=0"])
def test_other_numbers_are_refused(written):
    with pytest.raises(UsageError):
        parse_definition_6(written)
