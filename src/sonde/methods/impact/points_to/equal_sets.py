"""Numbers for sets of cells, the same one for equal sets: who follows pointers looks at each set once.

Nodes that no cycle joins are solved by themselves, but most of a large program's nodes hold what many others
hold. What is kept per set (the cells behind it, the edges to and from these) is then kept per content.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.impact.points_to.copied import Solved


class EqualSets:
    """The sets of a solver that is done, by numbers that differ if and only if the sets do."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self._numbers: dict[int, int] = {}
        self._firsts: dict[tuple[tuple[int, ...], bool], int] = {}
        self._members: dict[int, Sequence[int]] = {}

    def set_of(self, node: int) -> int:
        """The number of the set of a node."""
        number = self.solved.set_of(node)
        found = self._numbers.get(number)
        if found is None:
            members = tuple(self.solved.members(number))
            found = self._firsts.setdefault((members, self.solved.walks_away(number)), number)
            self._numbers[number] = found
            self._members.setdefault(found, members)
        return found

    def members(self, number: int) -> Sequence[int]:
        """The cells of a set."""
        return self._members[number]

    def walks_away(self, number: int) -> bool:
        """Whether a pointer with this set has walked, and left its cell."""
        return self.solved.walks_away(number)
