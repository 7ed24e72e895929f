"""What happens during a campaign, for those who watch it."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.points import Point
from sonde.core.results import Cost, Result
from sonde.core.revisions import RevisionId


@dataclass(frozen=True)
class Planned:
    """A campaign is about so many points, and these are known already."""

    points: int
    known: frozenset[Point] = frozenset()
    is_limit: bool = False  # whether it may well end before
    builds: int | None = None  # about as many are needed; None: nobody knows


@dataclass(frozen=True)
class Limited:
    """A campaign may take so many runs, and well end before."""

    runs: int


@dataclass(frozen=True)
class BuildBegan:
    """A revision is being built."""

    revision: RevisionId


@dataclass(frozen=True)
class BuildEnded:
    """A revision was built, or failed to build."""

    revision: RevisionId
    seconds: float
    failure: str = ""  # the reason; empty: it was built


@dataclass(frozen=True)
class RunBegan:
    """A point is being run."""

    point: Point
    number: int


@dataclass(frozen=True)
class ProfileBegan:
    """It is being looked at what a point executes."""

    point: Point


@dataclass(frozen=True)
class ProfileEnded:
    """It is known what a point executes, or why that cannot be told."""

    point: Point
    failure: str = ""  # the reason; empty: it is known


@dataclass(frozen=True)
class ResultKnown:
    """A result is stored, and the planner knows it."""

    result: Result
    spent: Cost  # by the whole campaign so far


@dataclass(frozen=True)
class Warned:
    """Something that the user should know, in one sentence."""

    message: str


@dataclass(frozen=True)
class Noted:
    """A step is done, and this came of it, in one sentence."""

    message: str


Event = (
    Planned
    | Limited
    | BuildBegan
    | BuildEnded
    | RunBegan
    | ProfileBegan
    | ProfileEnded
    | ResultKnown
    | Warned
    | Noted
)
