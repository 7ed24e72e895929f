"""Which functions account for a difference: a profile of the base and one of the head, side by side."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from sonde.core.evidence import CostUnit, Profile
from sonde.core.findings.comparisons import Grown

LEAST_SHARE = 0.02  # of the difference; what is less is not told
ALIKE = 0.1  # costs that differ by less than this share may be those of one function under two names
MOST_SAVED = 0.5  # of the cost of a function, by putting it into its caller

NAMELESS = "code without a name"

# What compilers put behind the name of a function of which they made a clone or a part.
_CLONE = re.compile(r"(\.(constprop|isra|part|cold|clone|localalias|lto_priv|llvm)(\.\d+)*)+$")


@dataclass(frozen=True)
class _Known:
    """A function of a build, or all code of a file outside of it."""

    output: str
    name: str


@dataclass(frozen=True)
class _Work:
    """What a function did in a run."""

    calls: int
    own: int
    inclusive: int


@dataclass(frozen=True)
class _Change:
    """What became of a function, or of several that are one and the same code."""

    name: str
    before: int
    after: int

    @property
    def growth(self) -> int:
        return self.after - self.before


def find_growth(base: Profile, head: Profile, spelled: Callable[[str], str] = str) -> tuple[Grown, ...]:
    """The functions whose own instructions changed, the largest share of the whole difference first.

    A share is that of all instructions that were added, or of all that were saved if they are fewer now: the
    shares of all functions that took part are 1 together, and those of functions that worked against it are
    negative. Functions are matched by their name and output, and by their name alone where they moved to
    another output; what looks renamed or put into its caller counts as one. Code outside of the build counts
    by its file. Times and samples of one run scatter too much to name anyone, so they give nothing.
    `spelled` makes names of symbols.
    """
    if base.unit is not CostUnit.INSTRUCTIONS or head.unit is not CostUnit.INSTRUCTIONS:
        return ()
    changes = list(_match(_works(base, spelled), _works(head, spelled)))
    whole = sum(change.growth for change in changes)
    sign = 1 if whole > 0 else -1
    moved = sum(max(0, sign * change.growth) for change in changes)
    if whole == 0:
        return ()
    grown = [
        Grown(change.name, change.before, change.after, sign * change.growth / moved) for change in changes
    ]
    told = [each for each in grown if abs(each.share) >= LEAST_SHARE]
    return tuple(sorted(told, key=lambda each: (-each.share, each.name)))


def _works(profile: Profile, spelled: Callable[[str], str]) -> Mapping[_Known, _Work]:
    """What each function did, with its clones."""
    calls, own, inclusive = Counter[_Known](), Counter[_Known](), Counter[_Known]()
    for place, activity in profile.activities.items():
        known = _Known(place.output, spelled(_CLONE.sub("", place.name) or place.name))
        calls[known] += activity.calls
        own[known] += activity.own
        inclusive[known] += activity.inclusive
    for file, cost in profile.outside.items():
        own[_Known("", file.rpartition("/")[2])] += cost
    own[_Known("", NAMELESS)] += profile.nameless
    return {known: _Work(calls[known], cost, inclusive[known]) for known, cost in own.items() if cost}


def _match(base: Mapping[_Known, _Work], head: Mapping[_Known, _Work]) -> Iterator[_Change]:
    """What became of each function that is in either."""
    both = base.keys() & head.keys()
    gone, new = set(base.keys() - both), set(head.keys() - both)
    for was, now in [*_moved(gone, new), *_renamed(base, gone, head, new)]:
        gone.discard(was)
        new.discard(now)
        name = now.name if was.name == now.name else f"{now.name} (was {was.name})"
        yield _Change(name, base[was].own, head[now].own)
    inlined = _taken_in(base, gone, head, both)
    for known in both:
        guests = [guest for guest, host in inlined.items() if host == known]
        names = ", ".join(sorted(guest.name for guest in guests))
        before = base[known].own + sum(base[guest].own for guest in guests)
        yield _Change(f"{known.name} (with {names})" if names else known.name, before, head[known].own)
    yield from (_Change(known.name, base[known].own, 0) for known in gone - inlined.keys())
    yield from (_Change(known.name, 0, head[known].own) for known in new)


def _moved(gone: Iterable[_Known], new: Iterable[_Known]) -> list[tuple[_Known, _Known]]:
    """Functions that lie in another output now."""
    named = defaultdict[str, list[_Known]](list)
    for now in new:
        named[now.name].append(now)
    return _only([(was, now) for was in gone for now in named[was.name]])


def _renamed(
    base: Mapping[_Known, _Work], gone: Iterable[_Known], head: Mapping[_Known, _Work], new: Iterable[_Known]
) -> list[tuple[_Known, _Known]]:
    """Functions that are called as often as another was that is gone, and cost about as much."""
    called = defaultdict[tuple[str, int], list[_Known]](list)
    for now in new:
        called[now.output, head[now].calls].append(now)
    return _only(
        [
            (was, now)
            for was in gone
            for now in called[was.output, base[was].calls]
            if abs(base[was].own - head[now].own) <= ALIKE * base[was].own
        ]
    )


def _taken_in(
    base: Mapping[_Known, _Work], gone: Iterable[_Known], head: Mapping[_Known, _Work], both: Iterable[_Known]
) -> Mapping[_Known, _Known]:
    """Functions that are gone, each with the one that may have called it and grew by about its cost."""
    grown = [(host, head[host].own - base[host].own) for host in both]
    hosts = [(host, growth) for host, growth in grown if growth > 0]
    found = [
        (was, host)
        for was in gone
        for host, growth in hosts
        if MOST_SAVED <= growth / base[was].own <= 1 + ALIKE
        and was.output == host.output
        and base[host].inclusive >= base[host].own + base[was].own
    ]
    return dict(_only(found))


def _only(pairs: list[tuple[_Known, _Known]]) -> list[tuple[_Known, _Known]]:
    """The pairs whose members are in no other."""
    left, right = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    return [(one, other) for one, other in pairs if left[one] == 1 and right[other] == 1]
