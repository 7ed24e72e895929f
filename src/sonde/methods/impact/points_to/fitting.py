"""Which routines a call through a pointer may mean, by the types of its arguments.

C hands over arguments in the registers that their types ask for. Programs cast pointers to functions and get
away with it where integers are wider or narrower, or where arguments are left over. A routine that takes more
than it is given, a pointer for a number or a float for an integer, is taken to be called only where nothing
else is.
"""

from __future__ import annotations

import re
from functools import cache

from sonde.core.code import Routine

_INTEGER = re.compile(r"\bi\d+\b")


def fits(routine: Routine, shape: str) -> bool:
    """Whether a CALL of this shape hands over what a routine takes; True if types are not told."""
    types = routine.parameter_types
    return types is None or _fit(types, shape)


@cache
def _fit(types: tuple[str, ...], shape: str) -> bool:
    given = _INTEGER.sub("i", shape[shape.find("(") + 1 :])
    wanted = _INTEGER.sub("i", ", ".join(types))
    return given.startswith(wanted) and (not wanted or given[len(wanted)] in ",)")
