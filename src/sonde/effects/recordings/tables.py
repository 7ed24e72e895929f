"""Tables of a recording: CSV files, plain or packed with gzip."""

from __future__ import annotations

import csv
import gzip
import io
import os
import stat
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sonde.effects.recordings.errors import mistake, quoted

MOST_BYTES = 200 * 10**6  # some five million points

PACKED = ".gz"


def find_table(folder: Path, name: str) -> Path | None:
    """The file `name` of a folder, the packed one first, or None if there is neither."""
    try:
        return next((file for file in (folder / (name + PACKED), folder / name) if file.exists()), None)
    except OSError as error:
        raise mistake(str(folder), 0, f"this cannot be read: {error.strerror}.") from None


def read_table(file: Path, most_bytes: int = MOST_BYTES) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not blank with its line, the head first; raises RecordingError.

    Every row is as long as the head. Neither the file nor what it unpacks to may have more than
    `most_bytes`.
    """
    shown = str(file)
    reader = csv.reader(io.StringIO(_decoded(shown, _content(file, most_bytes)), newline=""), strict=True)
    try:
        head = next(row for row in reader if row)
        yield reader.line_num, _names(shown, reader.line_num, head)
        for row in reader:
            if len(row) == len(head):
                yield reader.line_num, row
            elif row:
                message = f"there are {len(row)} values, but {len(head)} columns. Write one value per column."
                raise mistake(shown, reader.line_num, message)
    except csv.Error as error:
        raise mistake(shown, reader.line_num, f"this is not CSV: {error}. Fix the line.") from None


def integer(shown: str, line: int, text: str) -> int:
    """The number of a revision."""
    try:
        return int(text)
    except ValueError:
        message = f"the revision {quoted(text)} is not an integer. Number the revisions in their order."
        raise mistake(shown, line, message) from None


def _names(shown: str, line: int, head: list[str]) -> list[str]:
    names = [name.strip() for name in head]
    for name, times in Counter(names).items():
        if times > 1:
            raise mistake(shown, line, f"the column {quoted(name)} is listed twice. Rename or remove one.")
    return names


def _content(file: Path, most_bytes: int) -> bytes:
    shown = str(file)
    too_large = f"more than {most_bytes:,} bytes, too many for Sonde. Remove revisions or series."
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            found = os.fstat(opened.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise mistake(shown, 0, "this is not a regular file. Replace it by the table.")
            if found.st_size > most_bytes:
                raise mistake(shown, 0, f"the file has {too_large}")
            content = _unpacked(opened, most_bytes) if file.name.endswith(PACKED) else opened.read()
    except (gzip.BadGzipFile, zlib.error) as error:
        message = f"this is not gzip, or it is damaged ({error}). Download or compress it again."
        raise mistake(shown, 0, message) from None
    except EOFError:
        raise mistake(shown, 0, "the file is truncated. Download or compress it again.") from None
    except OSError as error:
        raise mistake(shown, 0, f"this cannot be read: {error.strerror}.") from None
    if len(content) > most_bytes:
        raise mistake(shown, 0, f"the file unpacks to {too_large}")
    return content


def _unpacked(opened: IO[bytes], most_bytes: int) -> bytes:
    with gzip.GzipFile(fileobj=opened, mode="rb") as packed:
        return packed.read(most_bytes + 1)


def _decoded(shown: str, content: bytes) -> str:
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise mistake(
            shown, line, "it contains a zero byte, so it is not a text file. Save the table as CSV."
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise mistake(shown, line, "this is not UTF-8 text. Save the file as UTF-8.") from None
    if not text.strip():
        raise mistake(shown, 0, "the file is empty. Write a header, and one row per line.")
    return text
