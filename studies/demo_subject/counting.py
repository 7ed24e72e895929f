"""Instructions of distinct builds, counted by valgrind, and kept in a file."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sonde.effects.demo_subject.configurations import DemoConfiguration, holds, valid_configurations, words
from sonde.effects.demo_subject.planned import Crashes, PlannedRevision, Reason
from studies.demo_subject.builds import Build

BENCHMARKS = {
    "pack-text": ("corpus/text.txt",),
    "pack-image": ("corpus/image.bin",),
    "verify-log": ("--verify", "corpus/log.txt"),
}
Counts = dict[str, int]  # key -> instructions


def key(digest: str, configuration: DemoConfiguration, benchmark: str) -> str:
    """What a count is kept under."""
    return f"{digest[:16]} {' '.join(words(configuration))} {benchmark}"


def covering_configurations() -> list[DemoConfiguration]:
    """Every algorithm without a switch, with each switch alone, and with all that are allowed.

    The lower levels of lz have only the extremes: what adds little shows best, what adds much shows least.
    """
    return [configuration for configuration in valid_configurations() if _covers(configuration)]


def _covers(configuration: DemoConfiguration) -> bool:
    switches = sum(configuration[name] is True for name in ("checksum", "filter", "verbose"))
    most = 2 if configuration["dictionary"] else 3
    is_extreme = switches in (0, most)
    if configuration["algorithm"] == "lz":
        return is_extreme or (configuration["level"] == 9 and switches == 1)
    # The level means nothing to rle and huffman; each has two of them nevertheless.
    level = 9 if is_extreme else 1
    return configuration["level"] == level and (is_extreme or switches == 1)


def exists(configuration: DemoConfiguration, position: int, planned: Sequence[PlannedRevision]) -> bool:
    """Whether the revision knows all options of the configuration."""
    return not configuration["dictionary"] or position >= option_since(planned)


def option_since(planned: Sequence[PlannedRevision]) -> int:
    """The position in which the dictionary appears."""
    return next(i for i, r in enumerate(planned) if getattr(r.effect, "reason", None) is Reason.NEW_OPTION)


def instruction_counts(
    builds: list[Build],
    planned: tuple[PlannedRevision, ...],
    configurations: list[DemoConfiguration],
    demo: Path,
    kept: Path,
) -> Counts:
    """Counts of all points that exist and should not crash."""
    counts: Counts = json.loads(kept.read_text()) if kept.exists() else {}
    wanted: dict[str, tuple[Build, DemoConfiguration, str]] = {}
    for build in builds:
        effect = planned[build.position].effect
        for configuration in configurations:
            if not exists(configuration, build.position, planned):
                continue
            if isinstance(effect, Crashes) and holds(effect.where, configuration):
                continue
            for benchmark in BENCHMARKS:
                wanted.setdefault(
                    key(build.digest, configuration, benchmark), (build, configuration, benchmark)
                )
    missing = [(name, point) for name, point in wanted.items() if name not in counts]
    print(f"{len(wanted)} points, {len(missing)} to be measured", flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for start in range(0, len(missing), 100):
            part = missing[start : start + 100]
            measured = pool.map(lambda item: _count(item[1][0].program, item[1][1], item[1][2], demo), part)
            counts |= dict(zip((name for name, _ in part), measured, strict=True))
            kept.write_text(json.dumps(counts))
    return counts


def _count(program: Path, configuration: DemoConfiguration, benchmark: str, demo: Path) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        # Half the time of callgrind, whose counts are up to 3 % lower: never mix the two in one file.
        profiler = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
        arguments = (*words(configuration), *BENCHMARKS[benchmark], f"{scratch}/out.pk")
        done = subprocess.run(
            [*profiler, str(program), *arguments],
            cwd=demo,
            capture_output=True,
            text=True,
            check=True,
        )
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if not found:
        raise ValueError(f"valgrind printed no count:\n{done.stderr}")
    return int(found.group(1).replace(",", ""))
