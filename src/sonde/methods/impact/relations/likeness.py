"""Which configurations a change does the same to: classes of them, one of each of which tells enough.

A configuration cannot matter if the changed code, or the hot code that it comes to, is not executed in it.
Two configurations are alike if the same code on the ways is executed in both, decisions in hot code go the
same way, and the same is set on the way there. What is not known tells configurations apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from sonde.core.options import Value
from sonde.methods.impact.constants import KnownConstant
from sonde.methods.impact.contents.choices import OptionContents
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import Domain
from sonde.methods.impact.relations.likeness_sets import ToldApart
from sonde.methods.impact.relations.related import Relating

MOST_ASSIGNMENTS = 4096

Key = tuple[object, ...]


@dataclass(frozen=True)
class Alike:
    """Classes of the choices of some options, which have numbers; None: the change cannot matter there."""

    options: tuple[int, ...]
    classes: Mapping[tuple[Value, ...], int | None]


def find_alike(relating: Relating, choices: Sequence[Sequence[Value]]) -> Alike | None:
    """What is alike for one program and its ways, by the values of the options; None if nothing is known."""
    if not any(relating.holdings):
        return None
    present = relating.present
    if present.presence is None:
        return None
    options = tuple(
        option
        for option, holding in enumerate(relating.holdings)
        if holding and option in present.numbers and relating.by_words(option) is None
    )
    size = 1
    for option in options:
        size *= len(choices[option])
    if not options or size > MOST_ASSIGNMENTS:
        return None
    return _Sorting(relating, present.presence, options).sort(choices)


class _Sorting:
    def __init__(self, relating: Relating, presence: Presence, options: tuple[int, ...]) -> None:
        self.relating, self.options = relating, options
        self.domain: Domain = relating.present.domain
        self.told = ToldApart(relating, presence, options)
        self.tables = {each: self.domain.table(relating.present.numbers[each]) for each in options}
        self.positions = {option: place for place, option in enumerate(options)}

    def sort(self, choices: Sequence[Sequence[Value]]) -> Alike | None:
        numbers = product(*(range(len(choices[option])) for option in self.options))
        meant = {chosen: self._configurations(chosen) for chosen in numbers}
        live = {chosen: mask for chosen, mask in meant.items() if mask & self.told.telling}
        if not live:
            return None
        masks = list(self.told.masks(list(live.values())))
        raw = self.told.raw()
        keys: dict[Key, int] = {}
        classes: dict[tuple[Value, ...], int | None] = {}
        for chosen, mask in meant.items():
            values = tuple(choices[o][n] for o, n in zip(self.options, chosen, strict=True))
            if chosen not in live:
                classes[values] = None
                continue
            key = self._key(chosen, mask, masks, raw)
            classes[values] = keys.setdefault(key, len(keys))
        return Alike(self.options, classes)

    def _key(self, chosen: tuple[int, ...], mask: int, masks: Sequence[int], raw: Mapping[int, int]) -> Key:
        """What a choice is told by; all of it where what is executed is not known."""
        states = []
        for each in masks:
            inside = mask & each
            if inside not in (0, mask):
                return (chosen,)
            states.append(bool(inside))
        kept = [
            (option, chosen[place]) for option, place in self.positions.items() if mask & raw.get(option, 0)
        ]
        return tuple(states), tuple(kept)

    def _configurations(self, chosen: tuple[int, ...]) -> int:
        """The configurations of the domain that a choice may mean."""
        numbers = {
            option: set(self._holding(option).numbers[chosen[place]])
            for option, place in self.positions.items()
        }
        for option in self.options:
            for other, choice, number in self._holding(option).by_others:
                place = self.positions.get(other)
                if place is None or chosen[place] == choice:
                    numbers[option].add(number)
        while True:
            mask = self._having(numbers)
            more = [
                (option, each.number)
                for option in self.options
                for each in self._holding(option).later
                if each.number not in numbers[option]
                and mask & self.told.reached([(each.routine, each.block)])
            ]
            if not more:
                break
            for option, number in more:
                numbers[option].add(number)
        return mask & self.relating.present.valid or mask

    def _holding(self, option: int) -> OptionContents:
        found = self.relating.holdings[option]
        assert found is not None
        return found

    def _having(self, numbers: Mapping[int, Iterable[KnownConstant]]) -> int:
        mask = self.domain.all
        for option, those in numbers.items():
            table, one = self.tables[option], 0
            for each in those:
                one |= table[each]
            mask &= one
        return mask
