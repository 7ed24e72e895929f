"""Versions of dynamic symbols: a library may hold several of one name, of which each caller takes its own."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from itertools import islice

import numpy as np

from sonde.formats.elf.file import Elf

_NUMBERS, _DEFINED, _NEEDED = 0x6FFFFFFF, 0x6FFFFFFD, 0x6FFFFFFE  # SHT_GNU_versym, _verdef, _verneed
_HIDDEN, _FIRST = 0x8000, 2  # 0 and 1 mean no version
_MOST = 10_000  # a damaged file must not keep us busy
_UNDEFINED = 0


def read_symbol_versions(elf: Elf) -> tuple[str, ...]:
    """What follows the name of each dynamic symbol: `@@V2` if it is the default, `@V1`, or nothing."""
    symbols = elf.dynamic_symbols
    section = next((each for each in elf.sections if each.kind == _NUMBERS), None)
    if section is None:
        return ("",) * len(symbols.names)
    content = elf.bytes_of(section)
    numbers = np.frombuffer(content, "<u2", len(content) // 2).tolist()[: len(symbols.names)]
    numbers += [0] * (len(symbols.names) - len(numbers))
    names = dict(_names(elf))
    return tuple(
        [
            _suffix(names.get(number & ~_HIDDEN, ""), bool(number & _HIDDEN) or home == _UNDEFINED)
            for number, home in zip(numbers, symbols.rows["section"].tolist(), strict=True)
        ]
    )


def _suffix(version: str, is_asked_for: bool) -> str:
    return f"{'@' if is_asked_for else '@@'}{version}" if version else ""


def _names(elf: Elf) -> Iterator[tuple[int, str]]:
    """The number of each version, and its name."""
    for section in elf.sections:
        if section.kind not in (_DEFINED, _NEEDED) or section.link >= len(elf.sections):
            continue
        content, texts = elf.bytes_of(section), elf.bytes_of(elf.sections[section.link])
        read = _defined if section.kind == _DEFINED else _needed
        try:
            for number, at in islice(read(content), _MOST):
                if number >= _FIRST:
                    end = texts.find(b"\0", at)
                    yield number, texts[at : max(end, at)].decode(errors="backslashreplace")
        except struct.error:  # damaged
            continue


def _defined(content: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while content:
        number, _, _, names, following = struct.unpack_from("<HHIII", content, at + 4)
        yield number, struct.unpack_from("<I", content, at + names)[0]
        if not following:
            break
        at += following


def _needed(content: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while content:
        count, _, entries, following = struct.unpack_from("<HIII", content, at + 2)
        entry = at + entries
        for _ in range(count):
            number, name, step = struct.unpack_from("<HII", content, entry + 6)
            yield number, name
            if not step:
                break
            entry += step
        if not following:
            break
        at += following
