"""What a revision changes for a benchmark, as numbers (Table I of the paper, and more).

A rank is a percentile among the functions that ran: the share of them that are no hotter, in percent, so that
the hottest has 100. Shares and changes of length are in percent, too. All values are 0 where nothing changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from sonde.core.evidence import Activity, CostUnit, Key
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.exposure import Exposure
from sonde.methods.selection.reach import BenchmarkReach

MUCH = 10.0  # percent of a function's instructions: from here on it changed much

Values = Mapping[str, float]  # by the names of indicators


@dataclass(frozen=True)
class Indicator:
    """A template that a threshold turns into a condition: the value is at least so much."""

    name: str
    words: str  # the condition, with `{least}` or `{top}`, that is 100 - the threshold, in it
    fact: str  # the value in words, with `{value}` or `{top}` in it
    at_top: str = ""  # instead of both, for a rank of 100
    is_count: bool = False
    is_dynamic: bool = True  # whether it depends on the benchmark

    def condition(self, threshold: float) -> str:
        """The condition in words."""
        if self.at_top and threshold >= 100:
            return self.at_top
        least = str(ceil(threshold)) if self.is_count else _number(threshold)
        return self.words.format(least=least, top=_number(100 - threshold))

    def statement(self, value: float) -> str:
        """The value in words."""
        if self.at_top and value >= 100:
            return self.at_top
        return self.fact.format(value=_number(value), top=_number(100 - value))


def _count(name: str, noun: str, verb: str, is_dynamic: bool = True) -> Indicator:
    words, fact = f"{{least}} or more {noun} {verb}", f"{noun} that {verb}: {{value}}"
    return Indicator(name, words, fact, is_count=True, is_dynamic=is_dynamic)


def _share(name: str, what: str, whole: str, is_dynamic: bool = True) -> Indicator:
    words, fact = f"{what} at least {{least}} % of {whole}", f"{what} {{value}} % of {whole}"
    return Indicator(name, words, fact, is_dynamic=is_dynamic)


def _top(name: str, kind: str, verb: str) -> Indicator:
    words = f"a function {verb} that is among its {{top}} % {kind} ones"
    return Indicator(name, words, words, at_top=f"its {kind} function {verb}")


PAPER: Final = (
    _count("del", "functions", "were deleted", is_dynamic=False),
    _count("new", "functions", "are new", is_dynamic=False),
    _count("rdel", "functions it runs", "were deleted"),
    _top("topcall", "most called", "changed"),
    _top("topcall10", "most called", "changed by 10 % of its length"),
    _top("topinstr", "hottest", "changed"),
    _share("len", "the length of a function changed by", "what it was", is_dynamic=False),
    _share("rlen", "the length of a function it runs changed by", "what it was"),
)
OURS: Final = (
    _share("share", "changed functions take", "its cost"),
    _share("maxshare", "one changed function takes", "its cost"),
    _share("weight", "the changed part of functions takes", "its cost"),
    Indicator(
        "wdelta",
        "the code added to or removed from functions is at least {least} of its cost, counted once per call",
        "the code added to or removed from functions is {value} of its cost, counted once per call",
    ),
    _count("nch", "functions", "changed", is_dynamic=False),
    _count("nrch", "functions it runs", "changed"),
    _count("objch", "constants or texts it reads", "changed"),
    _share("readshare", "functions that read changed constants take", "its cost"),
    _count("newref", "new functions", "are called by what changed"),
)
INDICATORS: Final = {indicator.name: indicator for indicator in (*PAPER, *OURS)}


def values_of(exposure: Exposure) -> dict[str, float]:
    """The value of every indicator, in the order of `INDICATORS`."""
    difference, reach = exposure.difference, exposure.reach
    changed = exposure.changed
    lengths = {key: _length_change(key, difference) for key in difference.changed | changed}
    much = {key for key in changed if lengths[key] >= MUCH}
    calls = {key: _calls(each, reach.unit) for key, each in reach.activities.items()}
    own = {key: each.own for key, each in reach.activities.items()}
    shares = [100 * reach.share(key) for key in changed | exposure.deleted]
    found = {
        "del": len(difference.deleted),
        "new": len(difference.added),
        "rdel": len(exposure.deleted),
        "topcall": _rank(changed, calls),
        "topcall10": _rank(much, calls),
        "topinstr": _rank(changed, own),
        "len": max(lengths.values(), default=0.0),
        "rlen": max((lengths[key] for key in changed), default=0.0),
        "share": min(sum(shares), 100.0),
        "maxshare": max(shares, default=0.0),
        "weight": sum(100 * reach.share(key) for key in exposure.deleted)
        + sum(reach.share(key) * lengths[key] for key in changed),
        "wdelta": _weighted_change(changed, difference, reach),
        "nch": len(lengths),
        "nrch": len(changed),
        "objch": len(exposure.objects) + len(exposure.texts),
        "readshare": min(100 * sum(map(reach.share, _readers(exposure))), 100.0),
        "newref": len(exposure.newly_reached),
    }
    return {name: float(found[name]) for name in INDICATORS}


def _calls(activity: Activity, unit: CostUnit) -> int:
    """How often a function was called; in samples, how often it was seen on the stack."""
    return activity.inclusive if unit is CostUnit.SAMPLES else activity.calls


def _rank(keys: Iterable[Key], heat: Mapping[Key, int]) -> float:
    """The percentile rank of the hottest of `keys`."""
    hottest = max((heat[key] for key in keys), default=None)
    if hottest is None:
        return 0.0
    return 100 * bisect_right(sorted(heat.values()), hottest) / len(heat)


def _length_change(key: Key, difference: BuildDifference) -> float:
    before = difference.old.functions[key].length
    after = difference.new.functions[difference.counterparts[key]].length
    return 100 * abs(after - before) / max(before, 1)


def _weighted_change(changed: Iterable[Key], difference: BuildDifference, reach: BenchmarkReach) -> float:
    """Instructions that came or went, once a call, as a share of the cost."""
    functions, new = difference.old.functions, difference.new.functions
    weighted = sum(
        reach.activities[key].calls * abs(new[difference.counterparts[key]].length - functions[key].length)
        for key in changed
    )
    return weighted / reach.total if reach.total else 0.0


def _readers(exposure: Exposure) -> Iterator[Key]:
    """Functions that ran and refer to a data object that changed, directly or through others."""
    objects = exposure.difference.old.objects
    tainted, size = set(exposure.objects), -1
    while size != len(tainted):
        size = len(tainted)
        tainted |= {key for key, each in objects.items() if not tainted.isdisjoint(each.refers_to)}
    for key in exposure.reach.activities:
        if not tainted.isdisjoint(exposure.difference.old.functions[key].refers_to):
            yield key


def _number(value: float) -> str:
    return f"{value:.4g}"
