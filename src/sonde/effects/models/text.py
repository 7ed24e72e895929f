"""The text of a model file, whatever the file is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from sonde.formats.feature_models.errors import ModelError, mistake

MOST_BYTES = 16 * 10**6  # the largest public feature models, of Linux, need a few million


def read_text(file: Path, most_bytes: int = MOST_BYTES) -> str:
    """What stands in a regular file of at most `most_bytes`; raises ModelError for everything else."""
    shown = str(file)
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise mistake(shown, 0, "this is not a regular file. Name a file with a feature model.")
            content = opened.read(most_bytes + 1)
    except IsADirectoryError:
        raise mistake(shown, 0, "this is a folder. Name a file with a feature model.") from None
    except OSError as error:
        raise mistake(shown, 0, f"this cannot be read: {error.strerror}.") from None
    except ValueError:
        raise ModelError(f"{shown!r} is not the name of a file.") from None
    if len(content) > most_bytes:
        raise mistake(shown, 0, f"this is larger than {most_bytes:,} bytes, too large for a feature model.")
    return _decoded(shown, content)


def _decoded(shown: str, content: bytes) -> str:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise mistake(
            shown,
            line,
            "it contains a zero byte, so it is not a text file. Name a file with a feature model.",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise mistake(shown, line, "this is not UTF-8 text. Save the file as UTF-8.") from None
    if not text.strip():
        raise mistake(shown, 0, "the file is empty. Name a file with a feature model.")
    return text
