"""Names of C++ functions as people write them."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from collections import Counter
from functools import cache
from math import prod

_PREFIX = "_Z"
_REFERENCE = re.compile(r"[ST][0-9A-Z]*_")  # to a part of the name that stands further in front
_LONGEST = 100_000_000  # letters


def demangled(name: str) -> str:
    """The name as it stands in the source, with what a compiler put behind it; any other name as it is."""
    symbol, dot, rest = name.partition(".")
    if not symbol.startswith(_PREFIX) or _may_grow_to(symbol) > _LONGEST:
        return name
    runtime = _runtime()
    if runtime is None:
        return name
    status = ctypes.c_int()
    found = runtime.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not found:
        return name
    try:
        text = ctypes.string_at(found).decode(errors="replace")
    finally:
        _free()(found)
    return f"{text} [{rest}]" if dot else text


def _may_grow_to(symbol: str) -> int:
    """No fewer letters than the name in the source has: each use of a part may use all others within it.

    A name of 300 letters can stand for one that no memory holds, and whoever writes a program chooses it.
    """
    uses = Counter(_REFERENCE.findall(symbol))
    return len(symbol) * prod(1 + number for number in uses.values())


@cache
def _runtime() -> ctypes.CDLL | None:
    """The C++ runtime of this machine, if it has one."""
    try:
        runtime = ctypes.CDLL("libstdc++.so.6")
        runtime.__cxa_demangle.restype = ctypes.c_void_p
    except (OSError, AttributeError):
        return None
    runtime.__cxa_demangle.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    return runtime


@cache
def _free() -> ctypes._FuncPointer:
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    return free
