"""The functions of an image, by what they do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sonde.core.evidence import Function, Key
from sonde.formats.elf.extents import NOWHERE, Integers
from sonde.formats.elf.symbols import SymbolTable
from sonde.formats.machine_code.decoding import Code
from sonde.formats.machine_code.line_numbers import find_line_numbers, is_receiver, is_source_file
from sonde.formats.machine_code.meanings import Meaning, short_digest
from sonde.formats.machine_code.mentions import find_mentions
from sonde.formats.machine_code.references import Resolved

_NO_TEXTS = short_digest().hex()
_NO_NAMES: frozenset[str] = frozenset()
_NO_OBJECTS: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Parts:
    """What the functions of an image are made of."""

    table: SymbolTable
    code: Code
    masked: NDArray[np.uint8]  # the bytes of `code` without what depends on the layout
    resolved: Resolved
    lengths: Integers  # instructions
    exceptions: Mapping[int, tuple[Meaning, ...]]  # the start of a function -> its table
    labels: Sequence[str]  # of each function; unlike those of the table, unique
    layouts: Sequence[int]  # of each function


def read_functions(parts: Parts) -> Iterator[tuple[Key, Function, frozenset[str]]]:
    """Each function, and the names of other files that it mentions."""
    table, code, resolved = parts.table, parts.code, parts.resolved
    mentions = find_mentions(resolved, table.functions.labels)
    texts = _texts(resolved)
    blind, raw = parts.masked.tobytes(), code.content.tobytes()
    rows, width = resolved.rows.tobytes(), resolved.rows.dtype.itemsize
    firsts = np.searchsorted(resolved.references.owners, np.arange(len(table.functions.keys) + 1)).tolist()
    starts = table.functions.extents.starts.tolist()
    object_keys = table.objects.keys
    receiving = _receiving(parts)
    known: dict[frozenset[int], frozenset[Key]] = {}
    spans = zip(code.begins.tolist(), code.ends.tolist(), parts.lengths.tolist(), strict=True)
    for number, (begin, end, length) in enumerate(spans):
        own, operands = blind[begin:end], rows[firsts[number] * width : firsts[number + 1] * width]
        calls = mentions.calls.get(number, _NO_NAMES)
        objects = mentions.objects.get(number, _NO_OBJECTS)
        if starts[number] in parts.exceptions:
            caught = parts.exceptions[starts[number]]
            operands += short_digest(*(each.identity + (each.text or b"") for each in caught))
            calls = calls.union(*(each.calls for each in caught))
            objects = objects.union(*(each.objects for each in caught))
        own_texts = texts.get(number, _NO_TEXTS)
        if (
            parts.labels[number] != table.functions.labels[number]
        ):  # two that share a key must not swap operands
            operands += parts.labels[number].encode()
            own_texts = short_digest(own_texts.encode(), parts.labels[number].encode()).hex()
        digest = _digest(own, operands)
        function = Function(
            code=digest,
            masked=digest,
            masked_for=frozenset(),
            raw=hashlib.blake2b(raw[begin:end], digest_size=16).hexdigest(),
            texts=own_texts,
            length=length,
            calls=calls,
            refers_to=_keys(objects, object_keys, known),
            layout=parts.layouts[number],
        )
        if number in receiving:
            span = range(firsts[number], firsts[number + 1])
            function = _without_lines(function, parts, raw[begin:end], own, operands, span)
        yield table.functions.keys[number], function, mentions.imports.get(number, _NO_NAMES)


def _keys(
    objects: frozenset[int], keys: tuple[Key, ...], known: dict[frozenset[int], frozenset[Key]]
) -> frozenset[Key]:
    """The keys of objects; many functions refer to the same."""
    if objects not in known:
        known[objects] = frozenset([keys[item] for item in objects])
    return known[objects]


def _digest(own: bytes, operands: bytes) -> str:
    return hashlib.blake2b(own + operands + len(own).to_bytes(8, "little"), digest_size=16).hexdigest()


def _texts(resolved: Resolved) -> Mapping[int, str]:
    """The digest of the texts of each function that has some, in the order in which it refers to them."""
    texts = [each.text for each in resolved.found]
    table = np.frombuffer(
        b"".join([hashlib.blake2b(text or b"", digest_size=16).digest() for text in texts]), "V16"
    )
    are_texts = np.array([text is not None for text in texts], np.bool_)
    if not are_texts.any():
        return {}
    chosen = np.flatnonzero((resolved.meanings != NOWHERE) & are_texts[resolved.meanings])
    rows = table[resolved.meanings[chosen]].tobytes()
    owners = resolved.references.owners[chosen]
    firsts = np.flatnonzero(np.diff(owners, prepend=-1))
    lasts = [*firsts.tolist(), len(chosen)][1:]
    spans = zip(owners[firsts].tolist(), firsts.tolist(), lasts, strict=True)
    return {owner: short_digest(rows[16 * first : 16 * last]).hex() for owner, first, last in spans}


def _receiving(parts: Parts) -> frozenset[int]:
    """Functions that may hand on line numbers: they name a source file, or call what is known for it."""
    resolved = parts.resolved
    labels = parts.table.functions.labels
    known = np.array([is_receiver(label) for label in labels], np.bool_)
    named = np.array([_is_for_lines(each) for each in resolved.found], np.bool_)
    chosen = np.zeros(len(resolved.references), np.bool_)
    for which, flags in ((resolved.functions, known), (resolved.meanings, named)):
        if len(flags):
            chosen |= (which != NOWHERE) & flags[which]
    return frozenset(resolved.references.owners[chosen].tolist())


def _is_for_lines(meaning: Meaning) -> bool:
    if meaning.text is not None:
        return is_source_file(meaning.text)
    return any(is_receiver(label) for label in meaning.calls)


def _without_lines(
    function: Function, parts: Parts, raw: bytes, own: bytes, operands: bytes, span: range
) -> Function:
    """The function with its line numbers masked, if it hands on any."""
    resolved = parts.resolved
    files: set[int] = set()
    callees: dict[int, str] = {}
    for number in span:
        at = int(resolved.rows["at"][number])
        callee = int(resolved.functions[number])
        if callee != NOWHERE:
            callees[at] = parts.table.functions.labels[callee]
        elif (which := int(resolved.meanings[number])) != NOWHERE:
            meaning = resolved.found[which]
            if meaning.text is not None and is_source_file(meaning.text):
                files.add(at)
            elif len(meaning.calls) == 1:
                callees[at] = next(iter(meaning.calls))
    lines = find_line_numbers(raw, files, callees)
    if not lines.positions:
        return function
    blind = bytearray(own)
    for position in lines.positions:
        blind[position : position + 4] = bytes(4)
    return replace(function, masked=_digest(bytes(blind), operands), masked_for=lines.receivers)
