"""The same programs through `sonde check` itself: a repository, its builds, the sandbox, the store."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from pathlib import Path
from statistics import fmean

from studies.check.measuring import MOST_PAIRS, PLANTED_SHARE
from studies.check.recording import LOADED, PLANTED, SAME
from studies.check.workloads import NAMES, Load, Workload, sized, source_of
from studies.impact.tables import table

Progress = Callable[[str], None]
HEADS = {SAME: 0.0, PLANTED: PLANTED_SHARE}  # a branch each, with so much more work
BASE = "base"

_PROJECT = f"""\
repository = "subject"

[build]
command = "sh build.sh"
outputs = {json.dumps(list(NAMES))}
"""
_BENCHMARK = """
[benchmarks.{name}]
command = "{{build}}/{name}"
metric = "cpu"
"""


@dataclass(frozen=True)
class Told:
    """What the product said of one workload."""

    state: str
    kind: str
    workload: str
    verdict: str
    low: float  # of the ratio
    high: float
    pairs: int

    @property
    def is_covering(self) -> bool:
        """Whether the interval holds what was planted."""
        return self.low <= 1 + HEADS[self.kind] <= self.high


def check_all(scratch: Path, states: Sequence[str], checks: int, progress: Progress) -> list[Told]:
    """Check both heads so often in each state of the machine; what was checked before is in its store."""
    folder = scratch / "product"
    if not folder.exists():
        _write_project(folder, {name: sized(name, scratch) for name in NAMES})
    told = []
    for state in states:
        with Load(scratch, state == LOADED):
            for kind, number in product(HEADS, range(1, checks + 1)):
                told += _check(folder, state, kind, number)
                progress(f"product: {state} {kind} {number}/{checks}")
    return told


def product_table(told: Sequence[Told]) -> str:
    """A row for each workload, with the verdicts that it was given."""
    rows: dict[tuple[str, str, str], list[Told]] = {}
    for each in told:
        rows.setdefault((each.state, each.kind, each.workload), []).append(each)
    heads = ("machine", "programs", "workload", "checks", "verdicts", "intervals that cover", "pairs, mean")
    return table(heads, [(*row, *_in_numbers(these)) for row, these in rows.items()])


def _in_numbers(told: Sequence[Told]) -> tuple[object, ...]:
    counts = Counter(each.verdict for each in told)
    return (
        len(told),
        ", ".join(f"{count} {verdict}" for verdict, count in counts.items()),
        sum(each.is_covering for each in told),
        f"{fmean(each.pairs for each in told):.1f}",
    )


def _check(folder: Path, state: str, kind: str, number: int) -> list[Told]:
    words = [sys.executable, "-m", "sonde", "check", f"{BASE}..{kind}", "--all", "--json"]
    words += [
        "--pairs",
        str(MOST_PAIRS[state]),
        "--project",
        str(folder),
        "--state",
        str(folder / f"{state}-{number}"),
    ]
    ended = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    found = [_told(state, kind, each) for each in json.loads(ended.stdout)["compared"]]
    return sorted(found, key=lambda each: list(NAMES).index(each.workload))


def _told(state: str, kind: str, compared: Mapping[str, object]) -> Told:
    low, high, pairs = 0.0, inf, 0
    if isinstance(ratio := compared["ratio"], dict):
        low, high, pairs = ratio["low"], ratio["high"], ratio["pairs"]
    return Told(state, kind, str(compared["benchmark"]), str(compared["verdict"]), low, high, pairs)


def _write_project(folder: Path, workloads: Mapping[str, Workload]) -> None:
    """A repository with a base and two heads: other files of the same code, and more work."""
    subject = folder / "subject"
    subject.mkdir(parents=True)
    for name in NAMES:
        shutil.copy(source_of(name), subject)
    _git(subject, "init", "--quiet", "--initial-branch", BASE)
    _commit(subject, "base", workloads, 0.0)
    for kind, more in HEADS.items():
        _git(subject, "switch", "--quiet", "--create", kind, BASE)
        _commit(subject, "head", workloads, more)
    benchmarks = "".join(_BENCHMARK.format(name=name) for name in NAMES)
    (folder / "sonde.toml").write_text(_PROJECT + benchmarks)


def _commit(subject: Path, note: str, workloads: Mapping[str, Workload], more: float) -> None:
    lines = [_build_line(source_of(name), each.steps_with(more), note) for name, each in workloads.items()]
    (subject / "build.sh").write_text("set -e\n" + "\n".join(lines) + "\n")
    _git(subject, "add", "--all")
    _git(subject, "commit", "--quiet", "--message", f"{note}, {more * 100:g} % more work")


def _build_line(source: Path, steps: int, note: str) -> str:
    name = source.stem
    if source.suffix == ".py":
        edits = f's/^STEPS = 0/STEPS = {steps}/; s/^NOTE = ""/NOTE = "{note}"/'
        return f"sed '{edits}' {source.name} > {name}; chmod +x {name}"
    return f"gcc -O1 -static -DSTEPS={steps} -DNOTE='\"{note}\"' -o {name} {source.name}"


def _git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=study", "-c", "user.email=study@example.org"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True)
