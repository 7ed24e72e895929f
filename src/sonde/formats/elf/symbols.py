"""The functions and data objects of an output: where they lie, and by which names they are known."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sonde.core.evidence import Key
from sonde.core.symbol_names import canonical_name
from sonde.formats.elf.extents import NOWHERE, Extents
from sonde.formats.elf.image import Image
from sonde.formats.elf.names import source_name
from sonde.formats.elf.padding import length_without_padding

_UNTYPED, _OBJECT, _FUNCTION, _FILE, _RESOLVER = 0, 1, 2, 4, 10  # STT_...
_NO_HOME = 0xFFF1  # SHN_ABS: a number that has a name
_LINKERS = re.compile(
    r"_?_?(edata|end|bss_start|data_start)|__TMC_END__|_GLOBAL_OFFSET_TABLE_|_DYNAMIC|__dso_handle"
    r"|__GNU_EH_FRAME_HDR|_PROCEDURE_LINKAGE_TABLE_|__FRAME_END__|__EH_FRAME_BEGIN__"
    r"|__(start|stop|init_array|fini_array|preinit_array|rela_iplt|ehdr)_.*"
)
_COUNTED = re.compile(r"[^.]+\.\d+")
_HIGHEST = 1 << 62  # of an address, so that sums stay within 64 bits
_CLONES_END, _HEADER = "__TMC_END__", "__ehdr_start"


class Symbol(NamedTuple):
    """One entry of a symbol table that has an address."""

    start: int
    end: int
    is_local: bool
    name: str
    source: str  # of a local one; else empty
    is_counted: bool


@dataclass(frozen=True)
class Named:
    """Functions, or data objects, by ascending address."""

    extents: Extents
    keys: tuple[Key, ...]
    labels: tuple[str, ...]  # what references call them; clones share one
    aliases: Mapping[Key, Key]
    counted: tuple[int, ...] = ()  # those that the compiler counts up: statics inside of functions


@dataclass(frozen=True)
class SymbolTable:
    """What the symbols of an output say."""

    functions: Named
    objects: Named
    marks: Mapping[int, str]  # an address -> the name that the linker gives to this place
    clones_end: int  # the address that the compiler's own start-up code asks for, or NOWHERE
    header: int  # where the header of the file lies, if a symbol says so, or NOWHERE


def read_symbols(output: str, image: Image) -> SymbolTable:
    """The functions and objects of an image that is not stripped."""
    functions: list[Symbol] = []
    objects: list[Symbol] = []
    marks: dict[int, str] = {}
    sections = image.elf.sections
    loaded = [section.is_loaded for section in sections]
    are_code = [section.is_code for section in sections]
    rows, names = image.elf.symbols.rows, image.elf.symbols.names
    columns = (rows[field].tolist() for field in ("info", "section", "value", "size"))
    source = ""
    for info, home, value, size, name in zip(*columns, names, strict=True):
        kind, is_local = info & 15, info >> 4 == 0
        if kind == _FILE:
            source = source_name(name)
        if value > _HIGHEST:
            continue
        if home == _NO_HOME and kind != _FILE:
            marks.setdefault(value, f"the number {value}")
        if kind not in (_UNTYPED, _OBJECT, _FUNCTION, _RESOLVER) or not 0 < home < len(sections) or not name:
            continue
        section = sections[home]
        if not loaded[home]:
            continue
        if not are_code[home] and _is_of_linker(name):
            marks.setdefault(value, name)  # it may lie behind its section
            continue
        behind = section.address + section.size
        if not section.address <= value <= behind:
            continue
        end = min(value + size, behind)
        own_source, is_counted = (source, "." in name and _is_counted(name)) if is_local else ("", False)
        symbol = Symbol(value, end, is_local, canonical_name(name), own_source, is_counted)
        if are_code[home]:
            if value < behind:
                functions.append(symbol)
        elif kind == _FUNCTION or value == behind or section.is_of_threads:
            marks.setdefault(value, name)
        else:
            objects.append(symbol)
    return SymbolTable(
        _named(output, image, functions),
        _named(output, image, objects),
        marks,
        _value(image, _CLONES_END),
        _value(image, _HEADER),
    )


def _value(image: Image, name: str) -> int:
    names = image.elf.symbols.names
    if name not in names:
        return NOWHERE
    return min(int(image.elf.symbols.rows["value"][names.index(name)]), _HIGHEST)


def _is_counted(name: str) -> bool:
    return _COUNTED.fullmatch(name) is not None


def _is_of_linker(name: str) -> bool:
    return _LINKERS.fullmatch(name) is not None


def _named(output: str, image: Image, symbols: list[Symbol]) -> Named:
    groups: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        groups[symbol.start].append(symbol)
    chosen = _extended(image, [_first(groups[start]) for start in sorted(groups)])
    keys = tuple([_key(output, symbol) for symbol in chosen])
    labels = tuple([f"{key.source}:{key.name}" if key.source else key.name for key in keys])
    own = {symbol.start: key for symbol, key in zip(chosen, keys, strict=True)}
    aliases = {
        _key(output, alias): own[start]
        for start, group in groups.items()
        if len(group) > 1 and start in own
        for alias in group
    }
    for key in keys:
        aliases.pop(key, None)
    counted = tuple([number for number, symbol in enumerate(chosen) if symbol.is_counted])
    return Named(Extents.of([(each.start, each.end) for each in chosen]), keys, labels, aliases, counted)


def _first(group: list[Symbol]) -> Symbol:
    """The symbol that names a place that has several; the longest of them tells where it ends."""
    if len(group) == 1:
        return group[0]
    first = min(group, key=lambda symbol: (symbol.is_local, symbol.name))
    return first._replace(end=max(each.end for each in group))


def _key(output: str, symbol: Symbol) -> Key:
    return Key(output, symbol.source, symbol.name)


def _extended(image: Image, symbols: list[Symbol]) -> list[Symbol]:
    """The same, but a symbol without a size reaches to the next one, unless it is a label inside another."""
    sized = [symbol for symbol in symbols if symbol.end > symbol.start]
    covered = Extents.of([(symbol.start, symbol.end) for symbol in sized])
    inside = covered.find(np.array([symbol.start for symbol in symbols], np.int64)) >= 0
    kept = [
        symbol
        for symbol, is_inside in zip(symbols, inside.tolist(), strict=True)
        if symbol.end > symbol.start or not is_inside
    ]
    return [
        symbol if symbol.end > symbol.start else symbol._replace(end=_limit(image, symbol, following))
        for symbol, following in _with_following(kept)
    ]


def _with_following(symbols: list[Symbol]) -> Iterable[tuple[Symbol, Symbol | None]]:
    yield from pairwise(symbols)
    if symbols:
        yield symbols[-1], None


def _limit(image: Image, symbol: Symbol, following: Symbol | None) -> int:
    section = image.section_at(symbol.start)
    end = section.end if section else symbol.start
    end = min(end, following.start) if following else end
    if section is None or not section.is_code:
        return end
    return symbol.start + length_without_padding(image.read(symbol.start, end - symbol.start))
