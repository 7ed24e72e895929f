"""Profiles by callgrind: every function that was executed, in all processes, with its exact instructions.

Callgrind is told to write addresses, which are looked up in the symbols of the outputs as the snapshot does.
Its own names would not do: without debug information it takes static functions of one name for one function,
it does not know functions without a size, and code in sections of one's own is to it of no file. Such code it
places by its address in memory, and its log tells which file was loaded there. What remains is code that was
made in the run; its file is `???`, and whatever made it is in the profile.

What libffi calls, callgrind takes for a part of libffi, for it does not see through its change of stacks.
Such a profile is not complete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonde.core.evidence import CostUnit, Profile, ProfiledFunction
from sonde.effects.profiles import under_callgrind
from sonde.effects.profiles.dumps import (
    ProcessFiles,
    find_processes,
    parse_dumps,
    read_lives,
    sum_instructions,
)
from sonde.effects.profiles.logs import OPTIONS, Log, inherit, read_log
from sonde.effects.profiles.mentions import Mention, read_mentions
from sonde.effects.profiles.naming import Naming
from sonde.effects.profiles.opened import find_opened
from sonde.effects.profiles.outside import digest_outside
from sonde.effects.profiles.places import RunPaths
from sonde.effects.runs.instruments import RunFolders, Variables, Words
from sonde.effects.runs.valgrind import LIBRARY, LOG, LOGS, find_valgrind
from sonde.formats.callgrind.costs import Garbled, read_costs
from sonde.formats.callgrind.elsewhere import sum_executed
from sonde.formats.callgrind.inclusive import sum_activities
from sonde.formats.callgrind.nodes import CallGraph, Elsewhere, NamelessCode, Node
from sonde.formats.callgrind.texts import sum_text_functions

ENDED = "Program termination"  # what triggered the last dump of a process
FOREIGN_CALLS = frozenset({"ffi_call", "ffi_call_go", "ffi_call_int", "ffi_call_unix64"})
LIBFFI = "libffi.so"  # how its file begins
HOLDERS = ("_ctypes.", "_cffi_backend.")  # files that may hold libffi themselves, and then without its names
GAP_OF_FOREIGN_CALLS = "libffi made calls, which callgrind cannot follow"
UNREADABLE = "The profile cannot be read: {file} is not in callgrind's format ({reason})."


@dataclass(frozen=True)
class CallgrindProfiler:
    """Tells what each function did, in instructions."""

    writes: bool = True
    programs: Words = (LIBRARY,)
    variables: Variables = under_callgrind.VARIABLES
    around_gauge: Words = ()

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The words that run it under callgrind."""
        return under_callgrind.wrap(argv, find_valgrind() or "valgrind", ("--dump-instr=yes", *OPTIONS))

    @contextmanager
    def attached(self, meter: Path, appears_as: str) -> Iterator[None]:
        """Make the folders that callgrind needs."""
        under_callgrind.prepare(meter, appears_as)
        yield

    def read(self, scene: RunFolders) -> Profile | str:
        """The profile, or why there is none."""
        total = sum_instructions(read_lives(scene.meter / under_callgrind.COUNTS))
        if isinstance(total, str):
            return total
        try:
            return _read_profile(scene)
        except Garbled as garbled:
            return str(garbled)

    def read_complaints(self, meter: Path) -> str:
        """What valgrind itself has printed, without what it was told to trace."""
        complaints = under_callgrind.read_complaints(meter).splitlines()
        return "\n".join(line for line in complaints if line.startswith("=="))


@dataclass(frozen=True)
class _Program:
    """One program that a process was."""

    process: str
    number: int
    counts: tuple[Path, ...]
    log: Path


def _find_programs(meter: Path) -> Iterator[_Program]:
    known = {files.process: files for files in find_processes(meter / under_callgrind.COUNTS)}
    logged = {file.suffix[1:] for file in (meter / LOGS).glob("*")}
    for process in sorted({*known, *logged}):
        files = known.get(process, ProcessFiles(process, (), ()))
        logs = [*(folder / f"{LOG}.{process}" for folder in files.former)]
        logs.append(meter / LOGS / f"{LOG}.{process}")
        for number, (counts, log) in enumerate(zip(files.programs, logs, strict=True)):
            yield _Program(process, number, counts, log)


def _read_profile(scene: RunFolders) -> Profile:
    places = RunPaths(scene)
    naming = Naming(places)
    programs = list(_find_programs(scene.meter))
    logs = {(each.process, each.number): read_log(each.log) for each in programs}
    loaded = inherit(logs)
    graph = CallGraph()
    for program in programs:
        here = loaded[program.process, program.number]
        for file in program.counts:
            try:
                for costs in read_costs(file.read_bytes(), naming.is_located):
                    naming.add(costs, here, graph)
            except Garbled as garbled:
                raise Garbled(UNREADABLE.format(file=file.name, reason=garbled)) from garbled
    mentions = read_mentions(each.log for each in programs)
    outside: dict[str, int] = {}
    for node, cost in graph.own.items():
        if isinstance(node, Elsewhere):
            outside[node.file] = outside.get(node.file, 0) + cost
    has_foreign_calls = makes_foreign_calls(graph.own)
    return Profile(
        CostUnit.INSTRUCTIONS,
        sum_activities(graph),
        sum(cost for node, cost in graph.own.items() if isinstance(node, NamelessCode)),
        outside,
        digest_outside(outside, mentions or (), places),
        None if mentions is None else _find_opened(mentions, logs, places),
        is_complete=_are_whole(programs) and not has_foreign_calls,
        gap=GAP_OF_FOREIGN_CALLS if has_foreign_calls else "",
        text_functions=sum_text_functions(graph),
        executed=sum_executed(graph),
    )


def makes_foreign_calls(nodes: Collection[Node]) -> bool:
    """Whether libffi may have called a function; yes where it has no names to tell."""
    if any(node.name in FOREIGN_CALLS for node in nodes if isinstance(node, ProfiledFunction)):
        return True
    elsewhere = [node for node in nodes if isinstance(node, Elsewhere)]
    files = {PurePosixPath(node.file).name for node in elsewhere}
    has_library = any(name.startswith(LIBFFI) for name in files)
    is_held = not has_library and any(name.startswith(HOLDERS) for name in files)
    return is_held or any(node.function in FOREIGN_CALLS for node in elsewhere)


def _find_opened(
    mentions: frozenset[Mention], logs: Mapping[tuple[str, int], Log], places: RunPaths
) -> frozenset[str]:
    """The outputs that were opened, beside those that were loaded into programs."""
    programs = {each.file for (_, number), log in logs.items() for each in log.loaded[: 1 if number else 0]}
    libraries = {each.file for (_, number), log in logs.items() for each in log.loaded[1 if number else 0 :]}
    opened = find_opened(mentions, places, _outputs(libraries, places))
    return opened | _outputs(programs, places) if any(each.is_of_itself for each in mentions) else opened


def _outputs(files: Iterable[str], places: RunPaths) -> frozenset[str]:
    return frozenset(output for file in files if (output := places.output(file)) is not None)


def _are_whole(programs: Sequence[_Program]) -> bool:
    """Whether all counts are there.

    They are not if a process was killed, or became another program without callgrind's notice. One that loses
    its environment on the way overwrites the log of what it was, so that two programs seem to be one.
    """
    last = {each.process: each.number for each in programs}
    for program in programs:
        dumps = [dump for file in program.counts for dump in parse_dumps(file.read_bytes())]
        if len({dump.command for dump in dumps}) > 1:
            return False
        is_last = program.number == last[program.process]
        if is_last and not any(dump.trigger == ENDED for dump in dumps):
            return False
        if not is_last and not dumps and program.log.exists():
            return False
    return True
