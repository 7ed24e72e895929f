"""What library functions do, as far as flow matters: models of code that has no bitcode.

The models stand in `table`, one line each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sonde.methods.impact.library.python import (
    PYTHON_COPIED,
    PYTHON_PREFIX,
    PYTHON_READER,
    PYTHON_READING,
    PYTHON_TABLE,
    PYTHON_UNKNOWN,
    PYTHON_VALUE,
    PYTHON_VALUES,
)
from sonde.methods.impact.library.table import BY_PREFIX, TABLE

RESULT = -1
NAMED = -2  # a global of the library


class CallValue(NamedTuple):
    """A value that a call has to do with, or what lies where it points to."""

    base: int  # number of an argument from 0, RESULT or NAMED
    depth: int  # 0: the value; 1: what it points to; 2: what that points to
    is_rest: bool = False  # this argument and all behind it
    name: str = ""  # of what is NAMED; depth 1 is its content, as for a pointer to it

    def arguments(self, count: int) -> range:
        """The numbers of the arguments that are meant, of a call with so many; nothing if it is none."""
        if self.base < 0:
            return range(0)
        return range(min(self.base, count), count if self.is_rest else min(self.base + 1, count))


_ALL, _ALL_BEHIND, _RESULT = CallValue(0, 0, True), CallValue(0, 1, True), CallValue(RESULT, 0)


class Transfer(NamedTuple):
    """Data goes from here to there."""

    source: CallValue
    target: CallValue
    has_pointers: bool  # pointers may be among the data

    @property
    def is_copy(self) -> bool:
        """Whether memory is copied as it is, field by field; see `Memory.copied`."""
        return self.has_pointers and self.source.depth == 1 and self.target.depth == 1


class Callback(NamedTuple):
    """An argument that is called, with what."""

    argument: CallValue
    arguments: tuple[CallValue, ...]


@dataclass(frozen=True)
class Effect:
    """What a call of a library function does."""

    transfers: tuple[Transfer, ...] = ()
    cost: tuple[CallValue, ...] = ()  # what its duration depends on
    callbacks: tuple[Callback, ...] = ()
    makes: tuple[
        CallValue, ...
    ] = ()  # what points to new memory then: the result, or what an argument points to
    is_own: bool = False  # the result points to memory of the library, the same one for all calls
    never_returns: bool = False
    is_known: bool = True

    @property
    def is_fresh(self) -> bool:
        """Whether the result points to new memory."""
        return _RESULT in self.makes


UNKNOWN = Effect(
    (
        Transfer(_ALL, _RESULT, True),
        Transfer(_ALL_BEHIND, _RESULT, True),
        Transfer(_ALL, _ALL_BEHIND, True),
        Transfer(_ALL_BEHIND, _ALL_BEHIND, False),  # pointers too, but not field by field
    ),
    (_ALL, _ALL_BEHIND),
    (Callback(_ALL, (_ALL,)),),
    is_own=True,
    is_known=False,
)
"""Any argument, and what it points to, may go to the result and to where other arguments point."""


@cache
def effect_of(name: str) -> Effect:
    """What a library function does, by the linker's name; the cautious `UNKNOWN` without a model of it."""
    models = _models()
    if name.startswith(PYTHON_PREFIX):
        return models.get(name) or _python(_kind_of_python(name))
    for spelling in _spellings(name):
        found = models.get(spelling)
        if found is not None:
            return found
    for prefix, text in BY_PREFIX:
        if name.startswith(prefix):
            return _parse(text)[1]
    return UNKNOWN


def _spellings(name: str) -> Iterator[str]:
    """The name, and what other names of the same function become without what was added."""
    yield name
    plain = name.removeprefix("\\01").removeprefix("\x01").removeprefix("rpl_")
    yield plain
    if plain.startswith("llvm."):
        parts = plain.split(".")
        yield from (".".join(parts[:n]) for n in range(len(parts) - 1, 1, -1))
        return
    plain = re.sub(r"^__(isoc99|isoc23|GI)_", "", plain)
    yield plain
    for ending in ("_unlocked", "_chk", "64", "_r_chk", "_l"):
        short = plain.removesuffix(ending)
        if short != plain:
            yield short
            yield short.removeprefix("__")
            yield from (
                short.removesuffix("_unlocked"),
                short.removeprefix("__").removesuffix("_unlocked"),
            )
    yield plain.removeprefix("__builtin_")
    yield plain.lstrip("_")


@cache
def _python(line: str) -> Effect:
    """What libraries of Python do that have no model of their own."""
    return _parse(line)[1]


def _kind_of_python(name: str) -> str:
    if name.startswith(PYTHON_VALUES):
        return PYTHON_VALUE
    for prefix, line in PYTHON_COPIED.items():
        if name.startswith(prefix):
            return line
    words = name.removeprefix(PYTHON_PREFIX)
    is_reading = any(words == each or words.startswith(f"{each}.") for each in PYTHON_READING)
    return PYTHON_READER if is_reading else PYTHON_UNKNOWN


@cache
def _models() -> dict[str, Effect]:
    models: dict[str, Effect] = {}
    for line in re.sub(r"\n +", " ", TABLE + PYTHON_TABLE).splitlines():
        text = line.partition("#")[0].strip()
        if text:
            names, effect = _parse(text)
            models.update(dict.fromkeys(names, effect))
    return models


def _parse(line: str) -> tuple[list[str], Effect]:
    """The names and the effect in a line of the table."""
    head, _, tail = line.partition(":")
    names, _, parameters = head.partition("(")
    numbers = {word: n for n, word in enumerate(parameters.strip(" )").split())}
    transfers: list[Transfer] = []
    cost: list[CallValue] = []
    callbacks: list[Callback] = []
    makes: list[CallValue] = []
    flags = set[str]()
    for item in filter(None, (each.strip() for each in tail.split(";"))):
        if "->" in item or "=>" in item:
            arrow = "=>" if "=>" in item else "->"
            sources, targets = item.split(arrow)
            transfers += (
                Transfer(_slot(a, numbers), _slot(b, numbers), arrow == "=>")
                for a in sources.split()
                for b in targets.split()
            )
        elif item.startswith("fresh"):
            makes += (_slot(word, numbers) for word in item.split()[1:] or ["result"])
        elif item.startswith("cost "):
            cost += (_slot(word, numbers) for word in item.split()[1:])
        elif item.startswith("calls "):
            called, _, arguments = item.removeprefix("calls ").partition("(")
            callbacks.append(
                Callback(
                    _slot(called.strip(), numbers),
                    tuple(_slot(word, numbers) for word in arguments.strip(" )").split()),
                )
            )
        else:
            flags.add(item)
    if flags - {"own", "stops", "nothing", "foreign"}:
        raise ValueError(f"table of library functions: {line}: {', '.join(sorted(flags))} means nothing")
    effect = Effect(
        tuple(transfers),
        tuple(cost),
        tuple(callbacks),
        tuple(makes),
        is_own="own" in flags,
        never_returns="stops" in flags,
        is_known="foreign" not in flags,
    )
    return names.split(), effect


def _slot(word: str, numbers: dict[str, int]) -> CallValue:
    name = word.lstrip("*")
    depth = len(word) - len(name)
    if name.startswith("@"):
        return CallValue(NAMED, depth + 1, name=name[1:])
    if name == "result":
        return CallValue(RESULT, depth)
    return CallValue(numbers[name], depth, name == "rest")
