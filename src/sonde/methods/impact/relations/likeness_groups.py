"""Choices that sets of configurations do not tell apart, in groups that become smaller with each set.

What a choice may mean, and a set, are masks over configurations. Groups are masks over the choices, so that
a set is compared with all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Groups:
    """Groups of choices; at first there is one."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = tuple(choices)
        self._everyone = (1 << len(self._choices)) - 1
        # Of several choices each: a single one cannot be told apart any further.
        self._groups = [self._everyone] if len(self._choices) > 1 else []
        self._touched: dict[int, tuple[int, int]] = {}
        self.sets: dict[int, None] = {}  # that tell them apart, in order

    def add(self, masks: Iterable[int]) -> None:
        """Tell choices apart by these sets too; a set that all or none of them lie in tells nothing."""
        for each in masks:
            if each in self.sets:
                continue
            touching, holding = self._look_at(each)
            if touching and holding != self._everyone:
                self.sets[each] = None
                parts = [part for group in self._groups for part in (group & holding, group & ~touching)]
                self._groups = [part for part in parts if part & (part - 1)]

    def are_split_by(self, masks: Iterable[int]) -> bool:
        """Whether these sets tell apart what the sets so far do not.

        A choice that may lie in a set or not is like no other one.
        """
        return any(
            group & touching not in (0, group) or group & touching & ~holding
            for touching, holding in {self._look_at(each) for each in masks}
            for group in self._groups
        )

    def _look_at(self, mask: int) -> tuple[int, int]:
        """The choices that may mean one of these configurations; and those that can mean no other one."""
        found = self._touched.get(mask)
        if found is None:
            inside = [each & mask for each in self._choices]
            whole = [each == choice for each, choice in zip(inside, self._choices, strict=True)]
            found = self._touched[mask] = (_members(inside), _members(whole))
        return found


def _members(truths: Sequence[int]) -> int:
    """The group of those for which something is true."""
    digits = "".join(["1" if each else "0" for each in reversed(truths)])
    return int(digits or "0", 2)
