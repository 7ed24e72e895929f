"""Tables that a `switch` jumps through: distances to places inside of the function that refers to them."""

from __future__ import annotations

import re
import struct

from sonde.formats.elf.extents import NOWHERE
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import Named
from sonde.formats.machine_code.decoding import Code

_JUMP_THROUGH_REGISTER = re.compile(rb"\xff[\xe0-\xe7]")
_JUMP_THROUGH_TABLE = re.compile(rb"\xff[\x24\x60-\x67\xa0-\xa7\x20-\x27]")
_FEWEST = 2
_MOST, _MORE = 1 << 16, 16  # entries


class JumpTables:
    """Reads the tables of one image."""

    def __init__(self, image: Image, functions: Named, code: Code) -> None:
        self._image, self._functions, self._code = image, functions, code
        self._starts, self._ends = functions.extents.starts.tolist(), functions.extents.ends.tolist()
        self._jumps: dict[int, bool] = {}

    def read(self, address: int, end: int, owner: int) -> bytes | None:
        """The entries as places in functions, or None if this is no table of the function `owner`."""
        if not self._jumps_somewhere(owner):
            return None
        places = self._pointers(address, end, owner) or self._distances(address, end, owner)
        return repr(places).encode() if places else None

    def _jumps_somewhere(self, owner: int) -> bool:
        known = self._jumps.get(owner)
        if known is None:
            content = self._code.content[self._code.begins[owner] : self._code.ends[owner]].tobytes()
            found = _JUMP_THROUGH_REGISTER.search(content) or _JUMP_THROUGH_TABLE.search(content)
            known = self._jumps[owner] = found is not None
        return known

    def _distances(self, address: int, end: int, owner: int) -> list[tuple[str, int]]:
        """Entries as long as they lead into the function, also behind `end`, if that is a stray address."""
        content = self._image.read(address, min(end - address, 4 * _MOST))
        places: list[tuple[str, int]] = []
        while True:
            fresh = self._places(address, content, len(places), owner)
            places += fresh
            if 4 * len(places) < len(content) // 4 * 4 or len(places) >= _MOST or not fresh:
                return _with_rest(places, content[4 * len(places) : max(end - address, 0)])
            content += self._image.read(address + len(content), 4 * _MORE)

    def _places(self, address: int, content: bytes, first: int, owner: int) -> list[tuple[str, int]]:
        low, high = self._starts[owner] - address, self._ends[owner] - address
        places: list[tuple[str, int]] = []
        for distance in struct.unpack_from(f"<{len(content) // 4 - first}i", content, 4 * first):
            inside = low <= distance < high
            place = ("", distance - low) if inside else self._place(address + distance, owner)
            if place is None:
                break
            places.append(place)
        return places

    def _pointers(self, address: int, end: int, owner: int) -> list[tuple[str, int]]:
        slots = self._image.slots
        numbers = self._image.slots_between(address, end)
        if not numbers or int(slots.at[numbers[0]]) != address:
            return []
        places = []
        for count, number in enumerate(numbers):
            place = self._place(int(slots.targets[number]), owner)
            if place is None or int(slots.at[number]) != address + 8 * count or count >= _MOST:
                return []
            places.append(place)
        rest = self._image.read(address + 8 * len(places), end - address - 8 * len(places))
        return _with_rest(places, rest)

    def _place(self, address: int, owner: int) -> tuple[str, int] | None:
        """A function and an offset, if it is the owner or a part that was split off it."""
        number = self._functions.extents.find_one(address)
        if number == NOWHERE:
            return None
        key, own = self._functions.keys[number], self._functions.keys[owner]
        if number != owner and key.name.partition(".")[0] != own.name.partition(".")[0]:
            return None
        return self._functions.labels[number], address - int(self._functions.extents.starts[number])


def _with_rest(places: list[tuple[str, int]], rest: bytes) -> list[tuple[str, int]]:
    """The places and the bytes behind them, which nothing refers to; nothing if there are too few places."""
    if len(places) < _FEWEST:
        return []
    rest = rest.rstrip(b"\0")
    return [*places, (rest.hex(), NOWHERE)] if rest else places
