"""What callgrind has written of a run, and whether every instruction is in it, once.

Counts are written just before a process forks or becomes another program (see `under_callgrind`), where
callgrind knows the function that does so by its name. It does not where a static program has lost its
symbols, or makes the system call itself. What it then has written tells so, since each dump says in which
basic blocks it begins and ends, counted from the start of the program and inherited by a fork:

- A forked process counts on from the last dump of its parent. If that was not made to fork, or another
  process counts on from it as well, then some of the parent's instructions are inside twice.
- The last dump of a program that became another one must have been made for that; else its end is lost.

One loss is tolerated: a forked process that wrote nothing before it became another program, if it took little
time. That is how a program without symbols starts another one, and only what it did in between is lost.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.runs.valgrind import LOG

FORKING = ("fork", "_Fork", "vfork", "posix_spawn", "posix_spawnp")
BECOMING = ("execve", "fexecve", "execveat")

TIMES = "times"  # in the folder of what a process was before: the kernel's account of the process until then
TOLERATED_SECONDS = 0.1  # of user time under callgrind: some 25 million instructions

REMEDY = "keep its symbols"
TWICE = (
    "No profile can be taken, because `{command}` forked without callgrind's notice (by "
    "a system call of its own, or in a static program without symbols), so some "
    f"instructions would be counted twice; {REMEDY}."
)
LOST = (
    "No profile can be taken, because a program became {command} without callgrind's "
    "notice (by a system call of its own, or in a static program without symbols), so its "
    f"own instructions are lost; {REMEDY}."
)
SHOWN_LETTERS = 60

_BEGINNING = re.compile(rb"^# callgrind format$", re.MULTILINE)
_FIELDS = {
    "command": re.compile(rb"^cmd: *(.*)$", re.MULTILINE),
    "part": re.compile(rb"^part: *(\d+)$", re.MULTILINE),
    "trigger": re.compile(rb"^desc: Trigger: *(.*)$", re.MULTILINE),
    "begins": re.compile(rb"^desc: Timerange: Basic block (\d+) - \d+$", re.MULTILINE),
    "ends": re.compile(rb"^desc: Timerange: Basic block \d+ - (\d+)$", re.MULTILINE),
}
_TOTALS = re.compile(rb"^totals: (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Dump:
    """What a process has counted between two moments."""

    command: str
    part: int  # counts the dumps of a process
    trigger: str
    begins: int  # basic blocks since the program was started, by whatever process it was
    ends: int
    instructions: int

    @property
    def cause(self) -> str:
        """The function before which it was made; empty if that was not the reason."""
        _, _, function = self.trigger.partition("--dump-before=")
        return function.partition("@")[0]


@dataclass(frozen=True)
class Life:
    """The dumps of one process, by the program that it was.

    The first program is the one that it was forked with. It has no dumps if the process was not forked, or
    wrote nothing before it became the second one.
    """

    programs: tuple[tuple[Dump, ...], ...]
    forked_seconds: float = 0.0  # user time before the second program was started


def parse_dumps(text: bytes) -> tuple[Dump, ...]:
    """The dumps in one file, without one that was not finished."""
    return tuple(dump for part in _BEGINNING.split(text)[1:] for dump in _parse_dump(part))


def _parse_dump(text: bytes) -> Iterator[Dump]:
    totals = _TOTALS.search(text)
    if totals is None:
        return
    head = text[: text.find(b"\nfn=")]  # the rest is long
    found = {name: pattern.search(head) for name, pattern in _FIELDS.items()}
    values = {name: match.group(1).decode(errors="replace") if match else "" for name, match in found.items()}
    part, begins, ends = (int(values[name] or 0) for name in ("part", "begins", "ends"))
    yield Dump(values["command"], part, values["trigger"], begins, ends, int(totals.group(1)))


@dataclass(frozen=True)
class ProcessFiles:
    """What one process has written."""

    process: str  # its number
    files: tuple[Path, ...]  # of the program that it was last
    former: tuple[Path, ...]  # a folder for each program that it was before, the first one first

    @property
    def programs(self) -> tuple[tuple[Path, ...], ...]:
        """The files with counts, by the program."""
        return (*map(_find_counts, self.former), self.files)


def _find_counts(folder: Path) -> tuple[Path, ...]:
    return tuple(file for file in folder.iterdir() if file.name.partition(".")[0] not in (TIMES, LOG))


def find_processes(counts: Path) -> tuple[ProcessFiles, ...]:
    """All processes that have written to the folder, in the order of their names."""
    files: dict[str, list[Path]] = defaultdict(list)
    folders: dict[str, list[Path]] = defaultdict(list)
    for path in counts.iterdir() if counts.is_dir() else ():
        process = path.name.partition(".")[0]
        (folders if path.is_dir() else files)[process].append(path)
    for former in folders.values():
        former.sort(key=lambda folder: int(folder.suffix[1:]))
    return tuple(
        ProcessFiles(process, tuple(files[process]), tuple(folders[process]))
        for process in sorted({*files, *folders})
    )


def read_lives(counts: Path) -> tuple[Life, ...]:
    """The lives of all processes that have written to the folder, in the order of their names."""
    return tuple(_read_life(process) for process in find_processes(counts))


def _read_life(process: ProcessFiles) -> Life:
    programs = tuple(_read_dumps(files) for files in process.programs)
    return Life(programs, _user_seconds(process.former[0] / TIMES) if process.former else 0.0)


def _read_dumps(files: Iterable[Path]) -> tuple[Dump, ...]:
    dumps = (dump for file in files for dump in parse_dumps(file.read_bytes()))
    return tuple(sorted(dumps, key=lambda dump: dump.part))


def _user_seconds(times: Path) -> float:
    """The user time in what the kernel says in /proc/<process>/stat."""
    fields = times.read_text().rpartition(")")[2].split() if times.exists() else []
    return int(fields[11]) / os.sysconf("SC_CLK_TCK") if len(fields) > 11 else 0.0


def sum_instructions(lives: Sequence[Life]) -> float | str:
    """The instructions of all processes, each once, or why they are not known."""
    dumps = [dump for life in lives for program in life.programs for dump in program]
    if not dumps:
        return "The run ended well, but callgrind recorded nothing."
    if doubled := _find_doubled(lives, dumps):
        return TWICE.format(command=_shorten(doubled.command))
    for life in lives:
        if heir := _find_heir(life):
            return LOST.format(command=heir)
    return float(sum(dump.instructions for dump in dumps))


def _find_doubled(lives: Iterable[Life], dumps: Iterable[Dump]) -> Dump | None:
    """A dump of a forked process that holds instructions of its parent, too."""
    left = Counter((dump.command, dump.ends) for dump in dumps if dump.cause in FORKING)
    for life in lives:
        for dump in life.programs[0][:1]:
            left[dump.command, dump.begins] -= 1
            if left[dump.command, dump.begins] < 0:
                return dump
    return None


def _find_heir(life: Life) -> str:
    """The program that a process became before it had written all its counts; empty if it always had."""
    for number, (dumps, following) in enumerate(zip(life.programs, life.programs[1:], strict=False)):
        if number == 0 and not dumps:
            is_lost = life.forked_seconds > TOLERATED_SECONDS
        else:
            is_lost = not dumps or dumps[-1].cause not in BECOMING
        if is_lost:
            return f"`{_shorten(following[0].command)}`" if following else "another one"
    return ""


def _shorten(command: str) -> str:
    return command if len(command) <= SHOWN_LETTERS else f"{command[: SHOWN_LETTERS - 3]}..."
