"""What another version of a project file would change, as far as it matters to whoever trusts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from sonde.core.subject import BenchmarkRecipe, BuildRecipe, Subject


class RuleChange(Enum):
    """A way in which a project file differs from the one that a check goes by."""

    BENCHMARK_REMOVED = "benchmark removed"
    BENCHMARK_CHANGED = "benchmark changed"
    BENCHMARK_ADDED = "benchmark added"
    BUILD_CHANGED = "build changed"
    OPTIONS_CHANGED = "options changed"
    NETWORK_ALLOWED = "network allowed"
    HISTORY_SHOWN = "history shown"  # builds see git, and so all that the repository holds
    FOLDER_READABLE = "folder made readable"
    FOLDER_WRITABLE = "folder made writable"
    SURROUNDINGS_CHANGED = "environment changed"
    LIMITS_CHANGED = "limits changed"
    INPUT_CHANGED = "input changed"  # a file that benchmarks read, and that git keeps


# What lets code reach more of the machine. It is taken only from a file that the user chose.
WIDENING = frozenset(
    {
        RuleChange.NETWORK_ALLOWED,
        RuleChange.HISTORY_SHOWN,
        RuleChange.FOLDER_READABLE,
        RuleChange.FOLDER_WRITABLE,
    }
)


@dataclass(frozen=True)
class RuleDifference:
    """One thing that is different, and its name; empty if there is only one such thing."""

    change: RuleChange
    name: str = ""


@dataclass(frozen=True)
class TakenRules:
    """The project file that a check went by, where that is not the one in the work tree."""

    source: str  # as git names it: `REVISION:PATH`
    head_would: tuple[
        RuleDifference, ...
    ]  # what the file in the work tree would change; empty: nothing that counts

    @property
    def removed_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks that the file in the work tree has no longer."""
        return tuple(each.name for each in self.head_would if each.change is RuleChange.BENCHMARK_REMOVED)


def differences(old: Subject, new: Subject) -> tuple[RuleDifference, ...]:
    """What the second project file changes."""
    return tuple(_differences(old, new))


def _differences(old: Subject, new: Subject) -> Iterator[RuleDifference]:
    names = dict.fromkeys((*old.benchmark, *new.benchmark))
    for name in names:
        before, after = old.benchmark.get(name), new.benchmark.get(name)
        if before != after:
            yield RuleDifference(_benchmark_change(before, after), name)
    if new.build.network and not old.build.network:
        yield RuleDifference(RuleChange.NETWORK_ALLOWED)
    if new.build.sees_git and not old.build.sees_git:
        yield RuleDifference(RuleChange.HISTORY_SHOWN)
    if _without_rights(old.build) != _without_rights(new.build):
        yield RuleDifference(RuleChange.BUILD_CHANGED)
    if (old.options, old.constraints) != (new.options, new.constraints):
        yield RuleDifference(RuleChange.OPTIONS_CHANGED)
    before_places, after_places = old.surroundings, new.surroundings
    for place in set(after_places.readable) - {*before_places.readable, *before_places.writable}:
        yield RuleDifference(RuleChange.FOLDER_READABLE, place)
    for place in set(after_places.writable) - set(before_places.writable):
        yield RuleDifference(RuleChange.FOLDER_WRITABLE, place)
    if replace(before_places, readable=(), writable=()) != replace(after_places, readable=(), writable=()):
        yield RuleDifference(RuleChange.SURROUNDINGS_CHANGED)
    if old.limits != new.limits:
        yield RuleDifference(RuleChange.LIMITS_CHANGED)


def _without_rights(build: BuildRecipe) -> BuildRecipe:
    return replace(build, network=False, sees_git=False)


def _benchmark_change(before: BenchmarkRecipe | None, after: BenchmarkRecipe | None) -> RuleChange:
    if after is None:
        return RuleChange.BENCHMARK_REMOVED
    return RuleChange.BENCHMARK_ADDED if before is None else RuleChange.BENCHMARK_CHANGED
