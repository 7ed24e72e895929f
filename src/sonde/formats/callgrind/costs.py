"""Reads the costs in a file of callgrind: of each place in the code, and of each call.

Where callgrind was told to dump instructions, a position is an address: in a file's own terms, as its symbols
have them, or in memory, where the code is of no file that callgrind knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Spot = tuple[str, int | str]  # an object, and an address in it or, if addresses are not wanted, a function

NO_OBJECT = "???"

_PLUS, _MINUS, _STAR, _ZERO, _C, _F, _O, _T = b"+-*0cfot"
_DEPTH = re.compile(r"'\d+$")  # of a recursion: `visit'2`
_BEGINNING = b"# callgrind format"


class Garbled(Exception):
    """A file does not hold what callgrind writes; the text says in what."""


@dataclass
class Costs:
    """What was executed between two dumps of a process."""

    own: dict[Spot, int] = field(default_factory=dict)
    calls: dict[tuple[Spot, Spot], tuple[int, int]] = field(default_factory=dict)  # number, and cost below


class _Names:
    """Names are written out once, and then meant by their number: `fn=(12) main`, `fn=(12)`."""

    def __init__(self) -> None:
        self._known: dict[bytes, str] = {}

    def read(self, text: bytes) -> str:
        number, _, name = text.partition(b" ")
        if name:
            self._known[number] = name.decode(errors="backslashreplace")
        try:
            return self._known[number]
        except KeyError:
            raise Garbled(f"{text.decode(errors='replace')} was never named") from None


def read_costs(text: bytes, is_located: Callable[[str], bool]) -> Iterator[Costs]:
    """The costs of each finished dump in a file; addresses only in objects that `is_located` names.

    Raises Garbled if they are not what callgrind says is their sum.
    """
    for dump in text.split(_BEGINNING)[1:]:
        if b"\ntotals: " not in dump:
            continue
        try:
            yield _read_dump(dump, is_located)
        except ValueError as error:
            raise Garbled(str(error)) from error


def _read_dump(text: bytes, is_located: Callable[[str], bool]) -> Costs:
    objects, functions = _Names(), _Names()
    located: dict[str, bool] = {}
    costs = Costs()
    own, calls = costs.own, costs.calls
    home = callee_home = NO_OBJECT
    function = callee = ""
    located_here = True
    block: Spot = (home, function)  # where addresses do not matter
    at = target = number = 0
    is_call = False
    total = 0
    for line in text[text.find(b"\nsummary:") :].split(b"\n"):
        if not line:
            continue
        lead = line[0]
        if lead in (_PLUS, _MINUS):
            where, cost_text = line.split()
            at += int(where)
        elif lead == _STAR:
            cost_text = line[2:]
        elif lead == _ZERO:
            where, cost_text = line.split()
            at = int(where, 16)
        else:
            if lead == _F:
                if line.startswith(b"fn="):
                    function = _DEPTH.sub("", functions.read(line[3:]))
                    block = (home, function)
            elif lead == _O:
                home = objects.read(line[3:])
                if home not in located:
                    located[home] = is_located(home)
                located_here = located[home]
                callee_home = home
            elif lead == _C:
                if line.startswith(b"cfn="):
                    callee = _DEPTH.sub("", functions.read(line[4:]))
                elif line.startswith(b"cob="):
                    callee_home = objects.read(line[4:])
                elif line.startswith(b"calls="):
                    first, _, second = line[6:].partition(b" ")
                    number, is_call = int(first), True
                    target = _position(second.split(b" ")[0], at)
            elif lead == _T:
                _check(total, int(line.partition(b" ")[2]))
            continue
        cost = int(cost_text)
        spot: Spot = (home, at) if located_here else block
        if is_call:
            if callee_home not in located:
                located[callee_home] = is_located(callee_home)
            called: Spot = (callee_home, target if located[callee_home] else callee)
            before = calls.get((spot, called), (0, 0))
            calls[spot, called] = (before[0] + number, before[1] + cost)
            is_call, callee_home = False, home
        else:
            total += cost
            own[spot] = own.get(spot, 0) + cost
    return costs


def _position(text: bytes, base: int) -> int:
    if text[:1] in (b"+", b"-"):
        return base + int(text)
    return base if text[:1] == b"*" else int(text, 16)


def _check(found: int, stated: int) -> None:
    if found != stated:
        raise Garbled(f"its costs sum up to {found}, and not to {stated}")
