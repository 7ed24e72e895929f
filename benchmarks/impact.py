"""From stored bitcode to the answer of `sonde impact`.

The programs are those of Debian's source packages bzip2, coreutils, grep and git, of which one line changes;
the first run fetches and builds them. The answer is taken from the bitcode of both programs, each unit of
which is read once, with the analysis of pointers and eight or so options. Seconds are by the clock, by two
processes; beside them stands the CPU time of all, and the clock of a later question, for which units that
were read before are kept. Where a package cannot be had, a made-up program of its size takes its place.

The peer is SVF's inclusion-based analysis of pointers (Andersen's, by `pysvf`), on the linked bitcode of the
new program; beside it stands our own analysis of pointers alone. Both read the bitcode first. The wheels of
pysvf need a C library that Debian 12 does not have: SONDE_SVF may name a Python in which pysvf loads.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.debian_programs import BZIP2, GIT, GREP, SORT, DebianProgram
from benchmarks.debian_sources import Unavailable
from benchmarks.frame import Row, tell
from benchmarks.made_programs import make_program
from benchmarks.svf import Svf, analyse_with_svf

ROUNDS = 3
HUGE_MB = 4096
ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Subject:
    """A program, what it may cost, and the size of a made-up one in its place."""

    program: DebianProgram
    seconds: float
    files: int
    megabytes: float | None = None
    rounds: int = ROUNDS


SUBJECTS = (
    Subject(BZIP2, 1.0, 8),
    Subject(SORT, 1.5, 8),
    Subject(GREP, 5.0, 12),
    Subject(GIT, 90.0, 300, HUGE_MB, rounds=1),
)


def rows() -> Iterable[Row]:
    """Seconds and memory of each program, beside SVF."""
    if shutil.which("clang-19") is None:
        tell("there is no clang-19, so that nothing is told about impact")
        return
    with TemporaryDirectory() as name:
        for each in SUBJECTS:
            yield from _rows_of(each, *_found(each, Path(name)))


def _found(subject: Subject, scratch: Path) -> tuple[str, Path]:
    """The name and the folder of a program, be it real or made up."""
    program = subject.program
    try:
        folder = program.folder()
    except Unavailable as problem:
        tell(f"{problem}; a made-up program takes the place of {program.name}")
        folder = scratch / program.name
        make_program(folder, subject.files, 40 if subject.files < 100 else 50)
        return f"made up, as large as {program.name}", folder
    return f"{program.name} {(folder / 'done').read_text().strip()}", folder


def _rows_of(subject: Subject, name: str, folder: Path) -> Iterator[Row]:
    told = [_ask(folder, "answer") for _ in range(subject.rounds)]
    first = told[0]
    assert first["is_relevant"], name
    text = f"{name}: {first['instructions']:,} instructions of IR, {first['points_to']}"
    yield Row(text, median(each["seconds"] for each in told), "s", subject.seconds)
    yield Row(f"{name}: CPU", median(each["cpu_seconds"] for each in told), "s")
    _ask(folder, "again")
    again = [_ask(folder, "again")["seconds"] for _ in range(subject.rounds)]
    yield Row(f"{name}: the next question", median(again), "s")
    yield Row(f"{name}: memory", max(each["megabytes"] for each in told), "MB", subject.megabytes)
    alone = _ask(folder, "points-to")
    svf = analyse_with_svf(folder)
    for what, figure, unit in (("seconds", alone["seconds"], "s"), ("megabytes", alone["megabytes"], "MB")):
        peer = getattr(svf, what) if isinstance(svf, Svf) else None
        reason = svf if isinstance(svf, str) else ""
        words = "pointers alone" if unit == "s" else "pointers alone, memory"
        yield Row(f"{name}: {words}", figure, unit, None, "SVF", peer, reason)


def _ask(folder: Path, what: str) -> Any:
    """In a process of its own, so that its memory is that of one answer."""
    words = [sys.executable, "-m", "benchmarks.impact_answering", str(folder), what]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{folder.name}: {ended.stderr}")
    return json.loads(ended.stdout)
