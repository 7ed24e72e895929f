"""Whether the texts of a project file can be given to programs."""

from __future__ import annotations

from collections.abc import Iterator

from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.positions import KeyPath


def text_mistakes(keys: object) -> Iterator[Mistake]:
    """Texts with a character that ends a text for the system: no command, path or name can hold it."""
    for path, text in _texts(keys, ()):
        if "\0" in text:
            yield Mistake(
                path, "contains the character U+0000, which is not allowed in commands and names. Remove it."
            )


def _texts(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """Each text and each key below a value, and where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _texts(part, (*path, number))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield (*path, key), key
            yield from _texts(part, (*path, key))
