"""Reads the numbers of DWARF, one after the other; what runs over the end is damaged."""

from __future__ import annotations

from sonde.formats.damaged import Damaged

CUT_OFF = "its line numbers are damaged or cut off; build it again"


class Cursor:
    """A place in bytes that moves on as it is read."""

    def __init__(self, content: bytes, at: int, end: int) -> None:
        if not 0 <= at <= end <= len(content):
            raise Damaged(CUT_OFF)
        self.content, self.at, self.end = content, at, end

    @property
    def is_at_end(self) -> bool:
        """Whether everything is read."""
        return self.at >= self.end

    def skip(self, length: int) -> None:
        """Go on behind some bytes."""
        if length < 0 or self.at + length > self.end:
            raise Damaged(CUT_OFF)
        self.at += length

    def number(self, length: int) -> int:
        """A number without sign of a fixed length in bytes."""
        begin = self.at
        self.skip(length)
        return int.from_bytes(self.content[begin : self.at], "little")

    def variable(self) -> int:
        """A number without sign that says itself where it ends (ULEB128)."""
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def text(self) -> str:
        """The characters up to the next zero."""
        end = self.content.find(b"\0", self.at, self.end)
        if end < 0:
            raise Damaged(CUT_OFF)
        begin, self.at = self.at, end + 1
        return self.content[begin:end].decode(errors="surrogateescape")
