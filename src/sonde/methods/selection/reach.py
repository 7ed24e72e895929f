"""What of a build a benchmark reaches: a profile joined to a snapshot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath

from sonde.core.evidence import Activity, Aspect, CostUnit, Key, Profile, ProfiledFunction, Snapshot
from sonde.core.symbol_names import canonical_name

MOST_UNJOINED = 0.01  # of the cost; above it, a profile says too little
MOST_UNJOINED_FOR_PROOF = 0.0001

LOOKUPS = frozenset({"dlsym", "dlvsym", "g_module_symbol", "lt_dlsym"})
ASKERS = ("_ctypes.", "_cffi_backend.")  # how files of Python begin that look up names


@dataclass(frozen=True)
class BenchmarkReach:
    """The functions and data objects of a snapshot that a benchmark used in the profiled configuration."""

    unit: CostUnit
    activities: Mapping[Key, Activity]  # of each function that ran
    objects: frozenset[Key]  # that these functions may read, directly or through other objects
    outputs: frozenset[str]  # that took part: something of them ran, or they were loaded by such a one
    names: frozenset[str]  # of everything that ran, by all names that it has
    strays: Mapping[ProfiledFunction, int]  # functions that the snapshot does not know, with their cost
    nameless: int  # cost in the build that no function is known for
    total: int  # cost of everything, in the build and outside of it
    looks_up_names: bool  # whether something that ran may find functions and data by their names
    aspects: frozenset[Aspect]  # of Python functions, be it of any, that something that ran may look at

    @property
    def unjoined(self) -> float:
        """The share of the cost that belongs to no function of the snapshot."""
        return (sum(self.strays.values()) + self.nameless) / self.total if self.total else 0.0

    @property
    def refusal(self) -> str | None:
        """Why the profile says too little to decide anything, or None."""
        if not self.total:
            return "the profile is empty: no code seems to have run"
        if not self.activities:
            return "the profile shows no function of the build: does the benchmark run what was built?"
        if self.unjoined <= MOST_UNJOINED:
            return None
        costliest = sorted(self.strays, key=lambda place: (-self.strays[place], place))[:3]
        names = ", ".join(place.name for place in costliest) or "code without a name"
        return f"{100 * self.unjoined:.2g} % of the profile belong to no function of the build ({names})"

    def share(self, key: Key) -> float:
        """What a function itself takes of the cost of the benchmark."""
        activity = self.activities.get(key)
        return activity.own / self.total if activity and self.total else 0.0


def reach_of(profile: Profile, snapshot: Snapshot) -> BenchmarkReach:
    """Join a profile to the snapshot of the build that it was taken from.

    A place means the functions of its name in its output; where there are several, those of its source file,
    and all of them where that does not tell.
    """
    named = _by_place(snapshot)
    activities: dict[Key, Activity] = {}
    strays: dict[ProfiledFunction, int] = {}
    for place, activity in profile.activities.items():
        keys = _meant(place, named)
        if not keys:
            strays[place] = activity.own
        for key in keys:
            activities[key] = _sum(activities.get(key), activity)
    outputs = _loaded({place.output for place in profile.activities}, snapshot)
    looks_up = _looks_up(activities, profile, snapshot)
    return BenchmarkReach(
        unit=profile.unit,
        activities=activities,
        objects=_objects(activities, snapshot, outputs, looks_up),
        outputs=outputs,
        names=_names(activities, strays, snapshot),
        strays=strays,
        nameless=profile.nameless,
        total=profile.total,
        looks_up_names=looks_up,
        aspects=profile.aspects,
    )


def _looks_up(ran: Iterable[Key], profile: Profile, snapshot: Snapshot) -> bool:
    by_itself = any(not LOOKUPS.isdisjoint(map(bare_name, snapshot.functions[key].calls)) for key in ran)
    return by_itself or any(PurePosixPath(file).name.startswith(ASKERS) for file in profile.outside)


def bare_name(reference: str) -> str:
    """The name of a function in a reference to it, such as `plt:memcpy`, `main.c:usage` or `copy.part#1`."""
    return reference.rpartition(":")[2].partition("#")[0].partition("+")[0]


def _by_place(snapshot: Snapshot) -> Mapping[tuple[str, str], list[Key]]:
    named: defaultdict[tuple[str, str], list[Key]] = defaultdict(list)
    for key in snapshot.functions:
        named[key.output, key.name].append(key)
    for alias, key in snapshot.aliases.items():
        if key in snapshot.functions and key not in named[alias.output, alias.name]:
            named[alias.output, alias.name].append(key)
    return named


def _meant(place: ProfiledFunction, named: Mapping[tuple[str, str], list[Key]]) -> list[Key]:
    name = (place.output, place.name)
    keys = named.get(name) or named.get((place.output, canonical_name(place.name)), [])
    if len(keys) > 1 and place.source:
        of_source = [key for key in keys if PurePosixPath(key.source).name == place.source]
        return of_source or keys
    return keys


def _names(
    ran: Mapping[Key, Activity], strays: Iterable[ProfiledFunction], snapshot: Snapshot
) -> frozenset[str]:
    names = {key.name for key in ran} | {canonical_name(place.name) for place in strays}
    return frozenset(names | {alias.name for alias, key in snapshot.aliases.items() if key in ran})


def _sum(one: Activity | None, other: Activity) -> Activity:
    if one is None:
        return other
    return Activity(
        one.calls + other.calls,
        one.own + other.own,
        one.inclusive + other.inclusive,
        one.elsewhere + other.elsewhere,
    )


def _loaded(ran: set[str], snapshot: Snapshot) -> frozenset[str]:
    """With every output of the build that is a library of one that ran."""
    by_name: defaultdict[str, set[str]] = defaultdict(set)
    for output in snapshot.languages:
        by_name[PurePosixPath(output).name].add(output)
    waiting, loaded = list(ran), set(ran)
    while waiting:
        for library in snapshot.libraries.get(waiting.pop(), frozenset()):
            new = by_name.get(PurePosixPath(library).name, set()) - loaded
            loaded |= new
            waiting.extend(new)
    return frozenset(loaded)


def _objects(
    functions: Iterable[Key], snapshot: Snapshot, outputs: frozenset[str], looks_up_names: bool
) -> frozenset[Key]:
    """What reached code may read, rather too much than too little.

    An object of a section that may be gone through as a whole counts, even if nothing refers to it; and one
    of the same name in another output that took part may be the one that the linker takes.
    """
    everywhere: defaultdict[str, list[Key]] = defaultdict(list)
    for key in snapshot.objects:
        if key.output in outputs:
            everywhere[key.name].append(key)
    found: set[Key] = set()
    offered = _offered(snapshot) if looks_up_names else frozenset()
    waiting = [
        key
        for key, item in snapshot.objects.items()
        if key.output in outputs and (key in offered or item.is_gathered)
    ]
    for key in functions:
        waiting.extend(snapshot.functions[key].refers_to)
        for reference in snapshot.functions[key].calls:
            waiting.extend(everywhere.get(bare_name(reference), ()))
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting.extend(other for other in everywhere[key.name] if other.output != key.output)
            if key in snapshot.objects:
                waiting.extend(snapshot.objects[key].refers_to)
    return frozenset(found)


def _offered(snapshot: Snapshot) -> frozenset[Key]:
    """Data objects that can be looked up by a name; all of them where it is not known which."""
    named = chain(((key, key) for key in snapshot.objects), snapshot.aliases.items())
    programs = snapshot.programs
    return frozenset(
        key
        for name, key in named
        if name.output not in programs or name.name in programs[name.output].exports
    )
