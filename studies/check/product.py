"""The same programs through `sonde check` itself: a repository, its builds, the sandbox, the store."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.check.measuring import MOST_PAIRS, PLANTED_SHARE
from studies.check.recording import LOADED, PLANTED, SAME
from studies.check.workloads import NAMES, PROGRAMS, Load, Workload, sized
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
    interval: str
    pairs: int


def check_all(scratch: Path, states: Sequence[str], progress: Progress) -> list[Told]:
    """Check both heads in each state of the machine; what was checked before is read from its store."""
    folder = scratch / "product"
    if not folder.exists():
        _write_project(folder, {name: sized(name, scratch) for name in NAMES})
    told = []
    for state in states:
        with Load(scratch, state == LOADED):
            for kind in HEADS:
                told += _check(folder, state, kind)
                progress(f"product: {state} {kind}")
    return told


def product_table(told: Sequence[Told]) -> str:
    """A row for each verdict."""
    heads = ("machine", "programs", "workload", "verdict", "interval", "pairs")
    return table(
        heads,
        [(each.state, each.kind, each.workload, each.verdict, each.interval, each.pairs) for each in told],
    )


def _check(folder: Path, state: str, kind: str) -> list[Told]:
    words = [sys.executable, "-m", "sonde", "check", f"{BASE}..{kind}", "--all", "--json"]
    words += ["--pairs", str(MOST_PAIRS[state]), "--project", str(folder), "--state", str(folder / state)]
    ended = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    found = [_told(state, kind, each) for each in json.loads(ended.stdout)["compared"]]
    return sorted(found, key=lambda each: list(NAMES).index(each.workload))


def _told(state: str, kind: str, compared: Mapping[str, object]) -> Told:
    ratio = compared["ratio"]
    interval, pairs = "-", 0
    if isinstance(ratio, dict):
        interval = f"{(ratio['low'] - 1) * 100:+.1f} % to {(ratio['high'] - 1) * 100:+.1f} %"
        pairs = int(ratio["pairs"])
    return Told(state, kind, str(compared["benchmark"]), str(compared["verdict"]), interval, pairs)


def _write_project(folder: Path, workloads: Mapping[str, Workload]) -> None:
    """A repository with a base and two heads: other files of the same code, and more work."""
    subject = folder / "subject"
    subject.mkdir(parents=True)
    for name in NAMES:
        shutil.copy(PROGRAMS / f"{name}.c", subject)
    _git(subject, "init", "--quiet", "--initial-branch", BASE)
    _commit(subject, "base", workloads, 0.0)
    for kind, more in HEADS.items():
        _git(subject, "switch", "--quiet", "--create", kind, BASE)
        _commit(subject, "head", workloads, more)
    benchmarks = "".join(_BENCHMARK.format(name=name) for name in NAMES)
    (folder / "sonde.toml").write_text(_PROJECT + benchmarks)


def _commit(subject: Path, note: str, workloads: Mapping[str, Workload], more: float) -> None:
    lines = [
        f"gcc -O1 -static -DSTEPS={each.steps_with(more)} -DNOTE='\"{note}\"' -o {name} {name}.c"
        for name, each in workloads.items()
    ]
    (subject / "build.sh").write_text("set -e\n" + "\n".join(lines) + "\n")
    _git(subject, "add", "--all")
    _git(subject, "commit", "--quiet", "--message", f"{note}, {more * 100:g} % more work")


def _git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=study", "-c", "user.email=study@example.org"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True)
