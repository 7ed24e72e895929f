"""What is well known of functions of the language and of its library: what they call, ask and gather."""

from __future__ import annotations

import builtins
import re
import sys

KINDS = (str, bytes, list, dict, set, tuple, int, float, re.Pattern, re.Match)
# These call what they are given while they run, and not later.
CALLING = frozenset(
    {"sorted", "min", "max", "map", "filter", "functools.reduce", "reduce", "object.sort", "defaultdict"}
    | {"collections.defaultdict", "itertools.groupby", "groupby", "next", "iter", "functools.cmp_to_key"}
    | {"itertools.takewhile", "itertools.dropwhile", "itertools.starmap", "itertools.accumulate", "re.sub"}
    | {"object.sub", "object.subn", "re.subn", "cmp_to_key"}
)
# Of these, what is called back changes nothing but the result.
GIVING = CALLING - {"object.sort"}
_PLAIN = """
len abs round int float complex bool ord chr hash id hex oct bin isinstance issubclass callable repr str ascii
format pow divmod any all hasattr getattr bytes bytearray memoryview range slice input print sum list tuple
set frozenset dict reversed zip enumerate vars type super new exit copy.copy copy.deepcopy collections.deque
collections.OrderedDict collections.Counter time.time time.perf_counter time.sleep os.path.join typing.cast
"""
# These call nothing that they are given.
SILENT = frozenset({*_PLAIN.split(), *(f"object.{name}" for kind in KINDS for name in dir(kind))} - CALLING)
# What the language calls of an object that it hands to these.
SPECIAL = {
    "len": ("__len__",),
    "str": ("__str__", "__repr__"),
    "print": ("__str__", "__repr__"),
    "repr": ("__repr__",),
    "format": ("__format__", "__str__"),
    "bool": ("__bool__", "__len__"),
    "int": ("__int__", "__index__"),
    "float": ("__float__",),
    "abs": ("__abs__",),
    "hash": ("__hash__",),
    "next": ("__next__",),
    "iter": ("__iter__",),
    "reversed": ("__reversed__",),
    "round": ("__round__",),
    "bytes": ("__bytes__",),
    "copy.copy": ("__copy__",),
    "copy.deepcopy": ("__deepcopy__",),
    "sum": ("__add__", "__radd__"),
    "object.format": ("__format__", "__str__", "__repr__"),
    "object.enter_context": ("__enter__", "__exit__"),
}
# Of these, what is asked is what the container holds, too.
INSIDE = frozenset({"str", "print", "repr", "format", "object.format", "sum", "copy.deepcopy"})
# These find what is equal to what they are given.
FINDING = frozenset(
    {"add", "discard", "remove", "get", "setdefault", "pop", "update", "index", "count", "set", "frozenset"}
    | {"dict", "fromkeys", "union", "intersection", "difference", "symmetric_difference", "issubset"}
    | {"issuperset", "isdisjoint", "Counter", "OrderedDict", "defaultdict"}
)
# These put what containers hold into others; what they are called when it is told how.
GATHERING = {
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"), "gathered"),
    **dict.fromkeys(("object.keys", "object.values", "object.copy", "object.union", "filter"), "gathered"),
    **dict.fromkeys(("object.intersection", "object.difference", "collections.deque", "dict"), "gathered"),
    **dict.fromkeys(("itertools.chain", "itertools.islice", "itertools.chain.from_iterable"), "gathered"),
    **dict.fromkeys(("object.items", "zip", "enumerate", "itertools.zip_longest"), "paired"),
    **dict.fromkeys(("object.extend", "object.update", "object.extendleft"), "extended"),
}
OF_PYTHON = frozenset({"object", "super", "open", *sys.stdlib_module_names, *dir(builtins)})
COMPARING = ("__lt__", "__gt__", "__le__", "__ge__", "__eq__", "__hash__")
ITERATING = ("__iter__", "__next__", "__len__", "__getitem__", "__contains__")
