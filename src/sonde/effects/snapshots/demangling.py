"""Names of C++ functions as people write them."""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache

_PREFIX = "_Z"


def demangled(name: str) -> str:
    """The name as it stands in the source, with what a compiler put behind it; any other name as it is."""
    symbol, dot, rest = name.partition(".")
    if not symbol.startswith(_PREFIX):
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
