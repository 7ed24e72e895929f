"""The pages of the study."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studies.check import calibration, product
from studies.check.instructions import compare_counts
from studies.check.measuring import Plan, measure_all
from studies.check.recording import CALM, LOADED, Recording

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Study:
    """What the user wishes for."""

    scratch: Path  # programs and what was recorded
    plan: Plan
    counts: int = 8  # comparisons of instructions, of each workload
    checks: int = 5  # by the whole of `sonde check`, of each head
    states: tuple[str, ...] = (CALM, LOADED)  # in which `sonde check` is asked
    arguments: str = "--write"  # what the page says that it was made with


def write_calibration(study: Study, progress: Progress) -> str:
    """Measure what is missing, and tell it all."""
    study.scratch.mkdir(parents=True, exist_ok=True)
    recording = Recording(study.scratch / "comparisons.jsonl")
    measure_all(study.plan, study.scratch, recording, progress)
    counted = compare_counts(study.scratch, study.counts, progress)
    told = product.check_all(study.scratch, study.states, study.checks, progress)
    parts = [
        _BEGINNING.format(
            arguments=study.arguments,
            cores=os.cpu_count(),
            system=f"{platform.system()} {platform.release()}",
        ),
        calibration.noise_table(recording),
        "### Verdicts",
        _VERDICTS,
        calibration.verdict_table(recording),
        "### Intervals",
        _INTERVALS,
        calibration.interval_table(recording),
        "### Beside other rules",
        _PEERS,
        calibration.peer_table(recording),
        "### Hard workloads",
        _HARD,
        calibration.hard_table(recording),
        "### Instructions",
        _COUNTS,
        calibration.counted_table(counted),
        "### Through the whole of `sonde check`",
        _PRODUCT,
        product.product_table(told),
    ]
    return "\n\n".join(part.strip() for part in parts)


_BEGINNING = """
## Calibration: how often is a verdict wrong?

Written by `python -m studies.check calibration {arguments}`; do not edit it by hand.

Real runs of three small programs (`studies/check/programs`), on a machine with {cores} processors
({system}, a virtual machine whose neighbours nobody here controls). *Calm*: nothing else was started.
*Loaded*: one busy process a processor beside the runs, and one that comes and goes. *Same*: base and head are
the same file, so that the truth is a ratio of 1. *Planted*: the head makes so many more steps that the whole
run, its start included, has 5 % more work. Each comparison is a point of its own with its own random order;
calm ones may take 40 pairs, loaded ones 100, all else is as by default: among other things, both runs of a
pair share one processor, so that wall / cpu is 2 even when nothing else runs. The metric is user + system
time. When the runs of a pair were made right after each other, on a machine as calm as this, their ratios
scattered by 8.4 %, 7.0 % and 16.2 % and 33 of 45 planted slowdowns were found. How far
intervals must reach was learned from an earlier recording.
"""
_VERDICTS = """
A false alarm is *slower* or *faster* where both sides are the same. Planted work has the size of the
threshold, so that *slower* is right, and *equal* is wrong.
"""
_INTERVALS = """
The interval of the look at which a comparison ended. 95 % is what it is made for, over all looks.
"""
_PEERS = """
How often each rule calls two sides different. *Mean ± deviation*: what hyperfine prints, "1.07 ± 0.03 times
faster than", read as a difference if 1 lies outside. *Welch's test*: at 5 %, on the same runs. These runs
were made for this, on whatever processor the kernel chose. *Definition 6* is that of the ConfFLARE paper,
with its k of 3, its own threshold of 10 %, and ours, on the same runs and on those of our pairs.
"""
_HARD = """
Work in which other tenants of the memory and the caches are felt: made right after each other, runs of a pair
scatter by more than a tenth even on a calm machine. Both were among the usual workloads of an earlier
calibration, before pairs shared a processor and before the test listened to the fastest runs: calm, 3 of 133
equal programs were called different there, and 21 of 30 planted slowdowns were found.
"""
_COUNTS = """
2 % of the instructions planted, two counted runs of each side, with another number of steps and
another length of the environment each time; the threshold is 1 %.
"""
_PRODUCT = """
Runs above are made by a few lines of Python, for there are many of them. Here, the same programs are a
repository with a benchmark each, and `sonde check --all` builds them, runs them in its sandbox, repeats
disturbed pairs and judges three cases together. *Same* is another file with the same code.
"""
