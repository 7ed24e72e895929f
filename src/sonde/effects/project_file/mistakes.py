"""Mistakes in a project file: all are gathered, and told at once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sonde.core.errors import ProjectFileError
from sonde.effects.project_file.positions import KeyPath
from sonde.effects.project_file.source import ProjectSource


@dataclass(frozen=True)
class Mistake:
    """What is wrong at `path`, and what to write. The text goes on after the key and its value."""

    path: KeyPath
    text: str
    names_value: bool = True
    detail: tuple[str, ...] = ()  # further lines, such as a mark below a column


def error_of(source: ProjectSource, mistakes: Iterable[Mistake]) -> ProjectFileError:
    """One error that lists all mistakes in the order of their lines."""
    ordered = sorted(dict.fromkeys(mistakes), key=lambda mistake: source.line(mistake.path))
    count = f"{len(ordered)} mistake{'s' if len(ordered) != 1 else ''}"
    lines = [f"{source.shown_file} has {count}:"]
    for mistake in ordered:
        subject = _subject(source, mistake)
        lines.append(f"  {source.shown_file}:{source.line(mistake.path)}: {subject}{mistake.text}")
        lines += [f"      {line}" for line in mistake.detail]
    return ProjectFileError("\n".join(lines))


def _subject(source: ProjectSource, mistake: Mistake) -> str:
    """The key and its value as they are written, with a space after them; nothing for the file itself."""
    name = ".".join(_quoted(key) for key in mistake.path if isinstance(key, str))
    value = source.written(mistake.path) if mistake.names_value else ""
    if not name:
        return ""
    if not value:
        return f"{name} "
    is_element = isinstance(mistake.path[-1], int)
    return f"{name}: {value} " if is_element else f"{name} = {value} "


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f"'{key}'"
