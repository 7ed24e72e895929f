"""What came of a damaged store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rescued:
    """What came of one table."""

    table: str
    kept: int
    refused: int  # rows that can be read, but make no sense: wrong types, or what they refer to is lost
    is_whole: bool  # whether all of the table could be read


@dataclass(frozen=True)
class Repaired:
    """What came of a store."""

    tables: tuple[Rescued, ...]
    damaged: str  # where the damaged store lies now

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost."""
        return all(each.is_whole and not each.refused for each in self.tables)
