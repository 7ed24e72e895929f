"""What is wrong with a recording, or with the place for an answer."""

from __future__ import annotations

from sonde.core.errors import UserError

LONGEST_QUOTE = 60  # letters of a file that a message repeats


class RecordingError(UserError):
    """A recording cannot be read; it says in which file and line, and what to do."""


class AnswerNotWritable(UserError):
    """An answer cannot be written where the user wants it."""


def mistake(file: str, line: int, message: str) -> RecordingError:
    """An error at a line (from 1) of a file; line 0 is the file as a whole."""
    return RecordingError(f"{file}:{line}: {message}" if line else f"{file}: {message}")


def quoted(text: str) -> str:
    """A text of a file in quotes, on one line and not too long."""
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}...")
