"""The answer to: can this change reach hot code, and through which options?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sonde.core.code import NOWHERE, SourceLine
from sonde.core.options import Configuration, OptionName, Value
from sonde.core.results import FREE, Cost
from sonde.core.revisions import Revision


class Via(Enum):
    """How a change comes to hot code."""

    WITHIN = "within"  # the changed code is hot itself, or hot code calls it
    EXPLICIT = "explicit"  # a value flows there
    IMPLICIT = "implicit"  # a value decides what is executed, and that comes there


@dataclass(frozen=True)
class Waypoint:
    """One step of the way from a change to hot code."""

    place: SourceLine
    routine: str
    words: str  # what happens there: "stored in `limit`", "passed to `compress` as `level`", "decides", ...


@dataclass(frozen=True)
class Interaction:
    """A changed region whose effect comes to a hot region."""

    change: SourceLine
    changed_routine: str
    hot: SourceLine
    hot_routine: str
    via: Via
    is_deletion: bool  # the way exists in the old revision only
    path: tuple[Waypoint, ...]  # from the change to the hot code


class Role(Enum):
    """What an option has to do with a change."""

    RELATED = "related"
    BEHIND = "behind"  # it takes part behind the first hot code that a change comes to
    UNRELATED = "unrelated"
    UNKNOWN = "unknown"  # its variable is not known: it may be related, and is kept


@dataclass(frozen=True)
class OptionImpact:
    """An option, and whether it takes part in what the change does to hot code."""

    option: OptionName
    role: Role
    reason: str  # in words
    place: SourceLine | None = None  # where it takes part
    variables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Classes:
    """What a change does in one program: classes of the values of some options.

    Values of a class are alike: the change does the same to them. Where the class is None it does nothing.
    """

    options: tuple[OptionName, ...]
    classes: tuple[
        tuple[tuple[Value, ...], int | None], ...
    ]  # each combination of their values, with a class
    others: tuple[OptionName, ...]  # each value of these is a class of its own

    @cached_property
    def by_values(self) -> Mapping[tuple[Value, ...], int | None]:
        """The class of each combination."""
        return dict(self.classes)

    def of(self, configuration: Configuration) -> tuple[object, ...] | None:
        """The same for configurations that are alike; None if the change does nothing to this one."""
        found = self.by_values[tuple(configuration[each] for each in self.options)]
        return None if found is None else (found, *(configuration[each] for each in self.others))


@dataclass(frozen=True)
class Partition:
    """Which configurations are alike, for all programs together."""

    parts: tuple[Classes, ...]

    @property
    def options(self) -> frozenset[OptionName]:
        """The options that it is about."""
        return frozenset(name for each in self.parts for name in (*each.options, *each.others))

    def of(self, configuration: Configuration) -> tuple[object, ...] | None:
        """The same for configurations that are alike; None if the change does nothing to this one."""
        found = tuple(each.of(configuration) for each in self.parts)
        return None if all(each is None for each in found) else found


@dataclass(frozen=True)
class Suggestion:
    """A variable that some words of the command line seem to be kept in."""

    words: tuple[str, ...]  # `-v`, `--verbose`
    variable: str  # as a project file names it
    values: tuple[str, ...] = ()  # what is stored, where it is known
    place: SourceLine = NOWHERE


@dataclass(frozen=True)
class HotRoutine:
    """Code that matters for performance."""

    name: str
    share: float | None  # the largest share of a profile; None: named by the user
    where: str = ""  # the benchmark and configuration with that share


@dataclass(frozen=True)
class ChangedRoutine:
    """A routine or global that differs between the revisions."""

    name: str
    place: SourceLine
    added: int  # instructions
    deleted: int


@dataclass(frozen=True)
class Witnesses:
    """By which lines of a build one sees that a run of it has executed some code."""

    shows: frozenset[SourceLine] = frozenset()  # if one of them was executed, so was the code
    guards: tuple[frozenset[SourceLine], ...] = ()  # its own, then those of code that always runs before it
    callers: tuple[Witnesses, ...] = ()  # it runs only if one of these does; nothing: that is not known
    is_known: bool = True  # whether the build has the routine


@dataclass(frozen=True)
class ChangedRegion:
    """Changed code of one routine that is executed together."""

    routine: str
    place: SourceLine  # of its first line
    is_old: bool  # whether it is code of the base, which was changed or deleted; else it is code of the head
    at_base: Witnesses
    at_head: Witnesses | None = None  # None: the head does not have it


@dataclass(frozen=True)
class Analysis:
    """How the answer was found."""

    points_to: str  # "inclusion-based" or what was used instead of it
    reason: str  # why not the best one; empty if it was
    instructions: int
    indirect_calls: int
    resolved_calls: int
    seconds: float


@dataclass(frozen=True)
class Impact:
    """Whether a change can reach hot code, how, through which options, and what to measure."""

    head: Revision
    base: Revision
    default: Configuration
    is_relevant: bool
    verdict: str  # why, in words
    hot: tuple[HotRoutine, ...]
    changed: tuple[ChangedRoutine, ...]
    interactions: tuple[Interaction, ...]
    options: tuple[OptionImpact, ...]
    configurations: tuple[Configuration, ...]  # what to measure; nothing if it is not relevant
    configurations_total: int
    is_cut: bool = False  # there are more configurations to measure than are listed
    combinations: int = 0  # valid ones of the related options, of which these were chosen
    not_executed: int = 0  # of them, those in which the changed code, or the hot code, is not executed
    beside: int = 0  # of the configurations: those for options behind the first hot code
    seconds: tuple[float, float] | None = None  # of measuring these configurations, and all; None: unknown
    analysis: Analysis | None = None  # None: nothing had to be analysed
    regions: tuple[ChangedRegion, ...] = ()  # all changed code, whether it can reach hot code or not
    caveats: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    cost: Cost = FREE

    @property
    def related_options(self) -> tuple[OptionName, ...]:
        """The options whose combinations are to be measured; none if nothing is."""
        return self._of(Role.RELATED, Role.UNKNOWN)

    @property
    def options_behind(self) -> tuple[OptionName, ...]:
        """The options of which only pairs of values are to be measured; none if nothing is."""
        return self._of(Role.BEHIND)

    def _of(self, *roles: Role) -> tuple[OptionName, ...]:
        return tuple(each.option for each in self.options if self.is_relevant and each.role in roles)
