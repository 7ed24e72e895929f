"""Addresses that the loader writes into code (`-z notext`), as hand-written code may ask for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image
from sonde.formats.machine_code.decoding import ABSOLUTE, Code, References

_WIDTH = 8


def text_relocations(code: Code, functions: Extents, image: Image) -> References:
    """Those that lead to places in the same file."""
    numbers = _in_code(image)
    at, targets = image.slots.at[numbers], image.slots.targets[numbers]
    owners = functions.find(at)
    chosen = (owners != NOWHERE) & (targets != NOWHERE)
    owners, at, targets = owners[chosen], at[chosen], targets[chosen]
    positions = at - functions.starts[owners] + code.begins[owners]
    fits = positions + _WIDTH <= code.ends[owners]
    columns = (owners, positions, np.full(len(at), _WIDTH), targets, np.full(len(at), ABSOLUTE))
    return References(*(column[fits].astype(np.int64) for column in columns))


def names_in_code(image: Image) -> Iterator[bytes]:
    """The others, in words."""
    for number in _in_code(image).tolist():
        if image.slots.meanings[number]:
            yield f"in code: {image.slots.meanings[number]}".encode()


def _in_code(image: Image) -> Integers:
    """Numbers of slots."""
    sections = image.extents.find(image.slots.at)
    is_code = np.array([*(section.is_code for section in image.sections), False], np.bool_)
    return np.asarray(np.flatnonzero(is_code[sections]))  # NOWHERE is the last
