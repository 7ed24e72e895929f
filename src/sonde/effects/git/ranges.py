"""Ranges as git spells them, and the names in them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Sequence

from sonde.core.errors import UsageError

_NAMES_SHOWN = 5


def range_words(text: str, branch: str) -> tuple[str, ...]:
    """The words of a range, complete, for `git rev-parse`.

    An empty text is everything up to `branch`, which also stands for the missing end of `A..` and `..B`.
    """
    words = text.split() or [branch]
    for word in words:
        if "..." in word:
            left, _, right = word.partition("...")
            raise UsageError(
                f"The range '{word}' has two ends, but a history has one. Write '{left}..{right}' for "
                f"the revisions after {left or branch} up to {right or branch}."
            )
        if word.startswith("-"):
            raise UsageError(
                f"The range '{text}' contains '{word}', which is an option of git. Write only "
                f"revisions, such as 'v1.0..v1.2', 'HEAD~100..' or '{branch}'."
            )
    return tuple(_completed(word, branch) for word in words)


def _completed(word: str, branch: str) -> str:
    left, dots, right = word.partition("..")
    return f"{left or branch}..{right or branch}" if dots else word


def names_in(words: Sequence[str]) -> tuple[str, ...]:
    """The revisions that the words of a range name."""
    parts = [part for word in words for part in word.split("..") if part]
    return tuple(re.sub(r"\^[!@]$|\^-\d*$", "", part.removeprefix("^")) for part in parts)


def nearest(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The known names that look most like `name`: branches of remotes first, then the likeliest."""
    remote = [other for other in known if other.endswith(f"/{name}")]
    alike = difflib.get_close_matches(name, known, n=_NAMES_SHOWN, cutoff=0.5)
    return tuple(dict.fromkeys([*remote, *alike]))[:_NAMES_SHOWN]
