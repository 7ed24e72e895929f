"""Cases of a parametrised test of which only some are fast enough for `make test`."""

from collections.abc import Collection, Iterable

import pytest
from _pytest.mark import ParameterSet


def slow_except(fast: Collection[object], cases: Iterable[object]) -> list[ParameterSet]:
    """The cases; those whose first value is not in `fast` are slow."""
    rows = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*row, marks=() if row[0] in fast else pytest.mark.slow) for row in rows]
