"""Ranges as git spells them."""

import pytest

from sonde.core.errors import UsageError
from sonde.effects.git.ranges import names_in, nearest, range_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ("main",)),
        ("  ", ("main",)),
        ("v1.0..v1.2", ("v1.0..v1.2",)),
        ("v1.0..", ("v1.0..main",)),
        ("..v1.2", ("main..v1.2",)),
        ("HEAD~100..", ("HEAD~100..main",)),
        ("v1.2", ("v1.2",)),
        ("v1.2 ^v1.0", ("v1.2", "^v1.0")),
    ],
)
def test_an_end_that_is_left_out_is_the_branch(text, words):
    assert range_words(text, "main") == words


def test_a_symmetric_difference_is_refused_with_what_to_write():
    with pytest.raises(UsageError, match=r"Write 'v1\.0\.\.v1\.2'"):
        range_words("v1.0...v1.2", "main")


def test_an_option_of_git_is_refused():
    with pytest.raises(UsageError, match="option of git"):
        range_words("--all", "main")


def test_the_names_of_a_range_come_without_its_signs():
    assert names_in(("v1.0..v1.2", "^old", "x^!", "y~3")) == ("v1.0", "v1.2", "old", "x", "y~3")


def test_the_branch_of_a_remote_is_the_nearest_name():
    known = ("mein", "origin/main", "v1.0")

    assert nearest("main", known) == ("origin/main", "mein")
    assert nearest("v1.O", known) == ("v1.0",)
    assert nearest("zzz", known) == ()
