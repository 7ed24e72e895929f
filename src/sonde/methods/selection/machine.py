"""What a proof asks of machine code, beside equal code and data of all that ran.

1. Where something that ran calls `dlsym` or its kin, names are questions: is there such a function, or such
   data? So the outputs that took part must offer the same names, all versions included.
2. An exception is thrown through a table of all functions of an output, be they reached or not. Where some
   come or go, what the unwinder takes is bounded as if it sorted that table and went through all of it.
3. A program may choose its code by the processor. Callgrind counts and profiles on one and the same imitation
   of a processor. For times, the profile is of other code than what runs: all that can be called from what
   ran must be the same then.

Left open, and said so: functions that only change places in that table, as by another order of linking. And
instructions that the processor itself counts (`perf stat`) are taken for those of callgrind, so that a
program that chooses its code by the processor may be proven wrongly for them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from sonde.core.evidence import CostUnit, Key, Profile, ProgramTraits
from sonde.core.results import Metric
from sonde.methods.selection.differences import BuildDifference
from sonde.methods.selection.exposure import Exposure
from sonde.methods.selection.reach import BenchmarkReach, bare_name

UNWINDERS = ("libgcc_s", "libunwind", "libc++abi")  # how their files begin
FINDS_FRAMES = "_Unwind_Find_FDE"  # in a program that holds its own unwinder
LONGER = 2  # for the table may have to be sorted first; seen was 1.2
ANOTHER_STEP = 0.02  # of the unwinder's cost, for any function may shift a search by halves; seen was 0.01
MOST_UNWINDING = 0.0005  # of the cost
NO_PROGRAM = ProgramTraits("", frozenset(), False)


def doubts_of_machine_code(exposure: Exposure, profile: Profile, metric: Metric) -> Iterator[str]:
    """What of a difference a program may notice though nothing that ran changed, in words."""
    if exposure.difference.is_none:
        return
    yield from _of_lookups(exposure)
    if _unwinding(exposure, profile) > MOST_UNWINDING * exposure.reach.total:
        yield "functions were added or deleted, and exception handling searches all of them"
    if metric is not Metric.INSTRUCTIONS and exposure.reach.unit is CostUnit.INSTRUCTIONS:
        yield from _of_dispatching(exposure)


def rewritten(difference: BuildDifference) -> frozenset[str]:
    """The programs and libraries of which a single byte differs, or that one build does not have."""
    old, new = difference.old.programs, difference.new.programs
    return frozenset(
        output
        for output in old.keys() | new.keys()
        if old.get(output, NO_PROGRAM).content != new.get(output, NO_PROGRAM).content
    )


def _of_lookups(exposure: Exposure) -> Iterator[str]:
    reach, difference = exposure.reach, exposure.difference
    if not reach.looks_up_names:
        return
    outputs_of_new = {key.output for key in difference.added | difference.added_objects}
    for output in sorted(reach.outputs):
        old, new = (each.programs.get(output, NO_PROGRAM) for each in (difference.old, difference.new))
        if NO_PROGRAM in (old, new) and output in outputs_of_new:
            yield "there are new functions or data, and it looks up symbols by name"
        if old.exports != new.exports:
            yield (
                f"{output} exports different names ({_some(old.exports ^ new.exports)}), and it looks "
                "up symbols by name"
            )


def _some(names: frozenset[str]) -> str:
    first = min(names)
    return first if len(names) == 1 else f"{first} and {len(names) - 1} more"


def _unwinding(exposure: Exposure, profile: Profile) -> float:
    """The most by which the search for the frames of an exception may differ."""
    reach, difference = exposure.reach, exposure.difference
    cost = sum(
        cost for file, cost in profile.outside.items() if PurePosixPath(file).name.startswith(UNWINDERS)
    )
    cost += sum(each.inclusive for key, each in reach.activities.items() if key.name == FINDS_FRAMES)
    if not cost:
        return 0.0
    others = sum(key.output in reach.outputs for key in difference.added | difference.deleted)
    before = sum(key.output in reach.outputs for key in difference.old.functions)
    return cost * max(LONGER * others / max(before, 1), ANOTHER_STEP) if others else 0.0


def _of_dispatching(exposure: Exposure) -> Iterator[str]:
    reach, difference = exposure.reach, exposure.difference
    builds = (difference.old, difference.new)
    choosing = {
        output
        for output in reach.outputs
        if any(each.programs.get(output, NO_PROGRAM).dispatches for each in builds)
    }
    if not choosing:
        return
    differing = difference.normalised | difference.texts | difference.deleted | difference.objects
    callable_keys = _callable(reach, difference)
    found = sorted(differing & callable_keys - reach.activities.keys() - reach.objects)
    if found:
        yield (
            f"{found[0].name} differs, and may run without the profiler: {min(choosing)} chooses "
            "its code by processor type"
        )


def _callable(reach: BenchmarkReach, difference: BuildDifference) -> set[Key]:
    """Functions and data objects of the old build to which a way leads from what ran."""
    old = difference.old
    named: defaultdict[str, list[Key]] = defaultdict(list)
    for key in (*old.functions, *old.objects):
        if key.output in reach.outputs:
            named[key.name].append(key)
    for alias, key in old.aliases.items():
        if key.output in reach.outputs:
            named[alias.name].append(key)
    found: set[Key] = set()
    waiting = [*reach.activities, *reach.objects]
    while waiting:
        key = waiting.pop()
        item = old.functions.get(key) or old.objects.get(key)
        if key in found or item is None:
            continue
        found.add(key)
        waiting.extend(item.refers_to)
        for reference in item.calls:
            waiting.extend(named.get(bare_name(reference), ()))
    return found
