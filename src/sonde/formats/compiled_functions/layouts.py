"""Where data lie in their pages: what a run may notice of a layout, beside what it costs in time.

Only addresses that are taken count, for they may be handed to functions that care; an operand that is read in
its place costs the same everywhere. Tables of jumps are of no concern to anyone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image
from sonde.formats.machine_code.nameless import TABLE
from sonde.formats.machine_code.references import Resolved, is_taken

_PAGE = 4096
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)  # of splitmix64
_HALF = np.uint64(31)


@dataclass(frozen=True)
class PageLayouts:
    """Digests, each equal for equal places in pages."""

    functions: list[int]  # of the data whose address each function takes
    objects: list[int]  # of each object, and of what it points to
    rest: int  # of nameless data that pointers outside of all objects lead to


def read_layouts(image: Image, resolved: Resolved, functions: int, objects: Extents) -> PageLayouts:
    """The layouts of an image with so many functions."""
    references, slots = resolved.references, image.slots
    are_tables = np.array([*(each.identity.startswith(TABLE) for each in resolved.found), False], np.bool_)
    taken = is_taken(references) & _is_data(image, references.targets) & ~are_tables[resolved.meanings]
    of_functions = _sums(
        references.owners[taken], resolved.rows["at"][taken], references.targets[taken], functions
    )
    pointing = _is_data(image, slots.targets)
    at, targets = slots.at[pointing], slots.targets[pointing]
    homes = objects.find(at)
    inside = homes != NOWHERE
    of_objects = _sums(
        homes[inside], at[inside] - objects.starts[homes[inside]] + 1, targets[inside], len(objects)
    )
    of_objects += _mixed(np.zeros(len(objects), np.int64), objects.starts)
    stray = targets[~inside & (objects.find(targets) == NOWHERE)]
    rest = _mixed(np.arange(len(stray)), stray).sum(dtype=np.uint64)
    return PageLayouts(of_functions.tolist(), of_objects.tolist(), int(rest))


def _is_data(image: Image, targets: Integers) -> NDArray[np.bool_]:
    sections = np.array([*(not each.is_code for each in image.sections), False], np.bool_)
    return np.asarray(sections[image.extents.find(targets)])  # NOWHERE is the last


def _sums(owners: Integers, places: Integers, targets: Integers, size: int) -> NDArray[np.uint64]:
    """A digest for each owner, whatever the order."""
    sums = np.zeros(size, np.uint64)
    np.add.at(sums, owners, _mixed(places.astype(np.int64), targets))
    return sums


def _mixed(places: Integers, targets: Integers) -> NDArray[np.uint64]:
    mixed = (places * _PAGE + targets % _PAGE + 1).astype(np.uint64) * _FIRST
    mixed = (mixed ^ (mixed >> _HALF)) * _SECOND
    return np.asarray(mixed ^ (mixed >> _HALF))
