"""Whether both sides print the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.findings.comparisons import Pair
from sonde.methods.comparison.outputs import is_output_same
from tests.values import sample


def pairs(*outputs: str) -> list[Pair]:
    """One for each word: what the base prints, and what the head does, a letter each; `-` is not known."""
    return [
        Pair(number, *(replace(sample(number), output=letter.strip("-")) for letter in both))
        for number, both in enumerate(outputs)
    ]


@pytest.mark.parametrize(
    ("outputs", "is_same"),
    [
        (("aa", "aa"), True),
        (("ab", "ab"), False),
        (("--", "ab", "ab"), False),
        (("ab",), None),  # perhaps it never prints the same
        (("ab", "ba"), None),
        (("aa", "ab"), None),
        (("aa", "bb"), True),  # runs of a pair share their set-up
        (("ab", "a-"), None),
        (("--", "--"), None),
        ((), None),
    ],
)
def test_outputs_are_compared_where_each_side_prints_the_same_in_every_run(outputs, is_same):
    assert is_output_same(pairs(*outputs)) is is_same
