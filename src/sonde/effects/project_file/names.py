"""Whether names of variables and paths are legal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.positions import KeyPath


def variable_mistakes(path: KeyPath, name: str) -> Iterator[Mistake]:
    """A name that no environment variable can have, or that is Sonde's own."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        legal = re.sub(r"[^A-Za-z0-9_]", "_", name).lstrip("0123456789") or "NAME"
        yield Mistake(path, f"is not the name of a variable. Write letters, digits and '_', such as {legal}.")
    elif name.startswith("SONDE_"):
        yield Mistake(path, "would override a variable that Sonde sets. Choose a name without SONDE_.")


def pattern_mistakes(path: KeyPath, patterns: Sequence[str], below: str) -> Iterator[Mistake]:
    """Path patterns that lead out of the folder that they are relative to."""
    for at, pattern in enumerate(patterns):
        where = (*path, at)
        if not pattern.strip():
            yield Mistake(where, "is empty. Write a path, such as src/main.c, or a pattern, such as src/**.")
        elif PurePosixPath(pattern.removeprefix("!")).is_absolute():
            yield Mistake(where, f"is an absolute path. Write it relative to {below}.")
        elif ".." in PurePosixPath(pattern.removeprefix("!")).parts:
            yield Mistake(where, f"has '..', which points out of {below}. Name a path below it.")
        elif any("**" in part and part != "**" for part in pattern.removeprefix("!").split("/")):
            yield Mistake(where, "has '**' next to other characters. Write it alone, as in src/**/*.c.")
