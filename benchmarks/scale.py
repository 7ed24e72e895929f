"""Large projects: 20,000 revisions, 300 benchmarks, 64 configurations, 2 million samples.

The samples are of the last 3,333 revisions in the default configuration, two of each point, written by SQL
into the store's own tables. Each command is a process of its own; its memory is the peak of its resident set.
Seconds are those of the processor, with what git needs; on a machine that does nothing else, a command takes
as long.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import sonde
from benchmarks.frame import Row
from sonde.core.results import Failed
from sonde.workflows.project_tools import open_tools
from sonde.workflows.targets import MeasuringRequest, target_of

REVISIONS, MEASURED = 20_000, 3_333
BENCHMARKS, OPTIONS = 300, 6
ROUNDS = 3
MOST_SECONDS, MOST_MEGABYTES = 3.0, 300.0

_COMMANDS = {
    "measure --dry-run, 100 revisions x 64 x 300": ("measure", "--dry-run", "HEAD~100..", "-c", "all"),
    "show --json, one benchmark, all revisions": ("show", "--json", "-b", "b1"),
    "show, 12 revisions, all benchmarks": ("show", "HEAD~12.."),
}


def rows() -> Iterable[Row]:
    """Seconds and memory of commands."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _make_project(folder)
        yield from _rows_of(folder, "an empty store")
        _fill(folder)
        yield from _rows_of(folder, "2 million samples")


def _rows_of(folder: Path, store: str) -> Iterator[Row]:
    for what, words in _COMMANDS.items():
        taken = [_run(folder, words) for _ in range(ROUNDS)]
        seconds, megabytes = (statistics.median(figures) for figures in zip(*taken, strict=True))
        yield Row(f"{what}; {store}", seconds, "s", MOST_SECONDS)
        yield Row(f"{what}; {store}", megabytes, "MB", MOST_MEGABYTES)


def _run(folder: Path, words: tuple[str, ...]) -> tuple[float, float]:
    """Seconds of the processor, and megabytes at the most."""
    with subprocess.Popen(
        [sys.executable, "-m", "sonde", *words, "--project", str(folder)], stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"`sonde {' '.join(words)}` ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _make_project(folder: Path) -> None:
    repository = folder / "repository"
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", repository], check=True)
    stream = b"".join(_revision(number) for number in range(1, REVISIONS + 1))
    importing = ["git", "-C", str(repository), "fast-import", "--quiet"]
    subprocess.run(importing, input=stream, check=True)
    parts = ['repository = "repository"\n[build]\ncommand = "cc -o main main.c"\noutputs = ["main"]']
    parts += [f'[options.o{number}]\nwords = "--o{number}"' for number in range(OPTIONS)]
    command = '"{build}/main {options} '
    parts += [f'[benchmarks.b{number}]\ncommand = {command}{number}"' for number in range(BENCHMARKS)]
    (folder / "sonde.toml").write_text("\n".join(parts) + "\n")


def _revision(number: int) -> bytes:
    parent = f"from :{number - 1}\n" if number > 1 else ""
    subject, content = f"Change {number}", f"int main(void) {{ return {number} % 2; }}\n"
    return (
        f"commit refs/heads/main\nmark :{number}\n"
        f"committer Ada <ada@example.org> {1_000_000_000 + 3600 * number} +0000\n"
        f"data {len(subject)}\n{subject}\n{parent}"
        f"M 100644 inline main.c\ndata {len(content)}\n{content}\n"
    ).encode()


def _fill(folder: Path) -> None:
    project = sonde.open(folder).project
    target = target_of(project, MeasuringRequest(range=f"HEAD~{MEASURED}.."))
    (configuration,) = target.configurations
    with open_tools(project, target.history, target.benchmarks, is_sandboxed=True) as tools:
        tools.store.append(*tools.drafter.contexts.values())
        orders = [tools.drafter.order_build(each.id, configuration) for each in target.history]
        builds = {order.revision: order.key for order in orders if not isinstance(order, Failed)}
    with closing(sqlite3.connect(project.state.store, isolation_level=None)) as store:
        store.execute("PRAGMA synchronous = OFF")
        store.execute("BEGIN")
        store.execute("INSERT INTO configurations (chosen) VALUES (?)", (configuration.key,))
        store.executemany(
            "INSERT INTO builds (key, revision, fingerprint, size_bytes, seconds, built_at) "
            "VALUES (?, ?, ?, 1, 1, 1)",
            ((key, revision, f"fingerprint of {revision}") for revision, key in builds.items()),
        )
        contexts = [id for (id,) in store.execute("SELECT id FROM contexts")]
        count = len(builds) * len(contexts)
        keys = ((f"measurement {number}",) for number in range(count))
        store.executemany("INSERT INTO measurements (key) VALUES (?)", keys)
        places = ((id, revision, key) for revision, key in builds.items() for id in contexts)
        store.executemany(
            "INSERT INTO points (context, revision, configuration, build, measurement) "
            "VALUES (?, ?, 1, ?, ?)",
            ((*place, number) for number, place in enumerate(places, start=1)),
        )
        store.executemany(
            "INSERT INTO samples "
            "(measurement, number, taken_at, instructions, involuntary_switches, pressure) "
            "VALUES (?, ?, 1, ?, 0, 0)",
            ((1 + each // 2, each % 2, 10_000 + each // 2) for each in range(2 * count)),
        )
        store.execute("COMMIT")
