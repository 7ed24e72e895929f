"""Labels that tell clones apart: by what they do, and only then by their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import Named
from sonde.formats.machine_code.decoding import Code
from sonde.formats.machine_code.meanings import short_digest


def label_functions(functions: Named, code: Code, masked: NDArray[np.uint8]) -> list[str]:
    """The label of each function; `masked` are the bytes of `code` without what depends on the layout."""

    def content(number: int) -> bytes:
        return masked[code.begins[number] : code.ends[number]].tobytes()

    return _unique(functions.labels, content)


def label_objects(objects: Named, image: Image) -> list[str]:
    """The label of each data object."""

    def content(number: int) -> bytes:
        start, end = int(objects.extents.starts[number]), int(objects.extents.ends[number])
        own = bytearray(image.read(start, end - start))
        for slot in image.slots_between(start - 7, end):
            at = int(image.slots.at[slot]) - start
            own[max(at, 0) : at + 8] = bytes(len(own[max(at, 0) : at + 8]))
        return bytes(own) + str(end - start).encode()

    return _unique(objects.labels, content)


def _unique(labels: Sequence[str], content: Callable[[int], bytes]) -> list[str]:
    count = Counter(labels)
    seen: Counter[str] = Counter()
    unique = list(labels)
    for number, label in enumerate(labels):
        if count[label] > 1:
            like = f"{label}#{short_digest(content(number)).hex()}"
            seen[like] += 1
            unique[number] = f"{like}#{seen[like]}"
    return unique
