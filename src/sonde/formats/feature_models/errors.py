"""What is wrong with a feature model."""

from __future__ import annotations

from sonde.core.errors import UserError


class ModelError(UserError):
    """A feature model cannot be read or written; it says in which file and line, and what to do."""


class UnreadableModelText(ValueError):
    """A text within a model cannot be read. Readers turn it into a ModelError with its file and line."""


def mistake(file: str, line: int, message: str) -> ModelError:
    """An error at a line (from 1) of a file; line 0 is the file as a whole."""
    return ModelError(f"{file}:{line}: {message}" if line else f"{file}: {message}")


def sentence(error: UnreadableModelText) -> str:
    """What is wrong, with a full stop where it needs one."""
    text = str(error)
    return text if text.endswith((".", "?")) else f"{text}."
