"""How the two revisions of a check are written."""

import pytest

from sonde.core.errors import UsageError
from sonde.workflows.check.request import ends_of


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
