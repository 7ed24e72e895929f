r"""Character strings without a name: where they end is known only from where others begin.

A string mostly ends where the next one begins to which something refers. It goes on there if

- its last character is no zero: the other is its tail, shared by the linker;
- nothing takes the address of the other, and there is no padding;
- both look like one string of wide characters;
- some string close behind holds a zero and more characters, to which nobody refers: all may be one list,
  `"a\0b\0c"`, into which something refers.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Set

import numpy as np

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image

_TEXT = re.compile(rb"[\x07-\x0d\x1b\x20-\x7e\x80-\xff\0]*")
_PLAIN = bytes([0, *range(0x07, 0x0E), 0x1B, *range(0x20, 0x7F)])
_LONGEST, _LONGEST_WIDE = 1 << 20, 1 << 12
_WIDE = ((4, 0x110000), (2, 0x100))  # bytes of a character, and what it is below
_MOST_IN_LIST = 4  # strings to which something refers, before the end of a list
_MOST = 1000  # stretches


class ImageTexts:
    """The strings of one image; what was asked before is remembered."""

    def __init__(self, image: Image, objects: Extents, taken: Set[int], read: Set[int]) -> None:
        self._image, self._objects = image, objects
        self.taken = taken
        limits = taken | read | set(objects.starts.tolist()) | set(image.extents.ends.tolist())
        self._limits = sorted(limits)
        self._plain: set[int] = set()  # those that end where the next begins, unless they are lists
        self._constants = self._all_constants()
        self._stretches = dict(self._constants)
        self._list_ends = self._find_lists()

    def end_of(self, address: int) -> int:
        """Where what begins at an address ends at the latest, if it does not go on."""
        number = bisect_right(self._limits, address)
        return self._limits[number] if number < len(self._limits) else address

    def at(self, address: int) -> bytes | None:
        """The whole string at an address, or None where there is something else."""
        if self.stretch(address) is None:
            return None
        if address in self._plain and address not in self._list_ends:
            return self._stretches[address]
        end = self.end_of_all(address)
        if end == self.end_of(address):
            return self.stretch(address)
        return self._image.read(address, end - address).rstrip(b"\0")

    def at_constants(self, addresses: Integers) -> list[bytes | None]:
        """The same for many, and None also where there is no constant whose address is taken."""
        whole = {each: self._constants[each] for each in self._plain.difference(self._list_ends)}
        found = self._constants
        return [
            whole[each] if each in whole else self.at(each) if found.get(each) is not None else None
            for each in addresses.tolist()
        ]

    def stretch(self, address: int) -> bytes | None:
        """The string, up to where something else begins."""
        if address not in self._stretches:
            self._stretches[address] = self._read(address, self.end_of(address))
        return self._stretches[address]

    def end_of_all(self, address: int) -> int:
        """Where what begins at an address ends, if what follows are strings."""
        start, end = address, self.end_of(address)
        for _ in range(_MOST):
            if self._begins_anew(end) or self.stretch(end) is None:
                break
            wide_end = self._wide_end(start, end)
            if wide_end is not None:
                start, end = end, max(wide_end, self.end_of(end))
            elif self._zeros_before(end) == 0 or (end not in self.taken and self._zeros_before(end) == 1):
                start, end = end, self.end_of(end)
            else:
                break
        return max(end, self._list_ends.get(start, 0))

    def _zeros_before(self, limit: int) -> int:
        """0, 1, or 2 for more, which are padding or the end of a list."""
        before = self._image.read(limit - 2, 2)
        return len(before) - len(before.rstrip(b"\0"))

    def _begins_anew(self, limit: int) -> bool:
        section = self._image.section_at(limit)
        return section is None or section.address == limit or self._objects.find_one(limit) != NOWHERE

    def _read(self, address: int, end: int) -> bytes | None:
        section = self._image.section_at(address)
        if section is None or section.is_zero or self._image.slots_between(address, end):
            return None
        content = self._image.read(address, end - address)
        if not _TEXT.fullmatch(content):
            return None
        if content and content[-1]:
            more = self._image.read(end, _LONGEST)
            content += more[: more.find(b"\0") + 1]
        content = content.rstrip(b"\0")
        return content if content.isascii() or _is_utf8(content) else None

    def _all_constants(self) -> dict[int, bytes | None]:
        """The stretches among constants, to which most references lead."""
        image, slots = self._image, self._image.slots.at
        addresses = np.array(sorted(self.taken), np.int64)
        sections = image.extents.find(addresses)
        may_hold = [not (each.is_zero or each.is_code or each.is_writable) for each in image.sections]
        limits = np.array(self._limits, np.int64)
        ends = np.append(limits, 0)[np.searchsorted(limits, addresses, side="right")]
        likely = (sections != NOWHERE) & np.array([*may_hold, False], np.bool_)[sections]
        likely &= self._objects.find(addresses) == NOWHERE
        likely &= np.searchsorted(slots, addresses) == np.searchsorted(slots, ends)
        content, shifts = image.elf.content, [each.offset - each.address for each in image.sections]
        columns = (addresses[likely], ends[likely], sections[likely])
        found: dict[int, bytes | None] = {}
        for address, end, section in zip(*(column.tolist() for column in columns), strict=True):
            own = content[address + shifts[section] : end + shifts[section]]
            if own.isascii() and own[-1:] == b"\0" and not own.translate(None, _PLAIN):
                found[address] = own.rstrip(b"\0")
                if end in self.taken and own[1:2] != b"\0" and own[3:4] != b"\0":
                    self._plain.add(address)
            else:
                # Quick to tell, and frequent: a table of distances backwards.
                found[address] = None if b"\xff" in own else self._read(address, end)
        return found

    def _find_lists(self) -> Mapping[int, int]:
        """Where strings begin that may be a list -> its end."""
        found: dict[int, int] = {}
        lists = [address for address, text in self._constants.items() if text is not None and _is_list(text)]
        for last in lists:
            end, place = self.end_of(last), bisect_left(self._limits, last)
            for limit in reversed(self._limits[max(place - _MOST_IN_LIST, 0) : place]):
                following = self.end_of(limit)
                if self._begins_anew(following) or self._objects.find_one(limit) != NOWHERE:
                    break
                if self._zeros_before(following) > 1:
                    break
                found[limit] = max(found.get(limit, 0), end)
                if self.stretch(limit) is None:
                    break
        return found

    def _wide_end(self, address: int, limit: int) -> int | None:
        """The end of a string of wide characters that goes on at `limit`, or None if it is none."""
        for size, most in _WIDE:
            if address % size or (limit - address) % size:
                continue
            if size == 2 and len(self.stretch(limit) or b"") <= size:
                continue  # rather strings of one narrow character each
            head = self._image.read(address, limit - address)
            if not head or head[size - 1] or not all(0 < each < most for each in _units(head, size)):
                continue
            tail = _units(self._image.read(limit, _LONGEST_WIDE), size)
            length = next((place for place, each in enumerate(tail) if not 0 < each < most), len(tail))
            is_whole = length < len(tail) and tail[length] == 0
            if length > 0 and (is_whole or size * length == _LONGEST_WIDE):
                return limit + size * min(length + 1, len(tail))
        return None


def _is_list(text: bytes) -> bool:
    """Whether it holds several strings, and is not one of wide characters."""
    if b"\0" not in text:
        return False
    size, most = _WIDE[0]
    return not all(0 < each < most for each in _units(text + bytes(-len(text) % size), size))


def _units(content: bytes, size: int) -> list[int]:
    return list(np.frombuffer(content, f"<u{size}", len(content) // size).tolist())


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
