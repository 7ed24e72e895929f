"""Which stretch of memory an address lies in."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sonde.formats.elf.extents import NOWHERE, Extents

spans = st.dictionaries(st.integers(0, 60), st.integers(0, 30), max_size=12)


def slowly(pairs: list[tuple[int, int]], address: int) -> int:
    """The last stretch that begins at or before the address and has it inside."""
    inside = [number for number, (start, end) in enumerate(pairs) if start <= address < end]
    return inside[-1] if inside else NOWHERE


@given(sizes=spans)
def test_the_innermost_stretch_is_found(sizes):
    pairs = [(start, start + sizes[start]) for start in sorted(sizes)]
    extents = Extents.of(pairs)
    addresses = list(range(95))

    assert extents.find(np.array(addresses)).tolist() == [slowly(pairs, each) for each in addresses]
    assert [extents.find_one(each) for each in addresses] == [slowly(pairs, each) for each in addresses]
