"""Long histories with many options: how long a planner thinks, and how much memory that takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import percent, table
from studies.pinpoint.alone import AloneTask
from studies.pinpoint.replays import OracleTask
from studies.pinpoint.running import Outcomes

MEBIBYTE = 1024**2


@dataclass(frozen=True)
class Size:
    """A system, and about how long a planner may think."""

    revisions: int
    options: int
    noise: float
    planner: str = DEFAULT
    asked: str = ""

    def task(self, judge: Path, changes: int, seed: int) -> AloneTask:
        return AloneTask(
            OracleTask(judge, self.planner, self.options, changes, self.noise, seed, self.revisions)
        )


SIZES = (
    Size(2500, 64, 0.0, asked="about 10 s"),
    Size(2500, 64, 0.01, asked="about 10 s"),
    Size(2500, 64, 0.03, asked="about 10 s"),
    Size(2500, 64, 0.0, PAPER),
    Size(20_000, 500, 0.0, asked="about 2 minutes, 1 GB"),
    Size(20_000, 500, 0.01, asked="about 2 minutes, 1 GB"),
)


@dataclass(frozen=True)
class Scale:
    """The sizes that are played, each once."""

    sizes: tuple[Size, ...] = SIZES
    changes: int = 10
    seed: int = 1

    def tasks(self, judge: Path) -> list[AloneTask]:
        return [size.task(judge, self.changes, self.seed) for size in self.sizes]


def section(scale: Scale, judge: Path, outcomes: Outcomes) -> str:
    """A row a size."""
    rows = []
    for size in scale.sizes:
        played = outcomes[size.task(judge, scale.changes, scale.seed)]
        is_whole = bool(played.scores)
        rows.append(
            [
                size.planner,
                f"{size.revisions:,}",
                str(size.options),
                percent(size.noise),
                f"{played.seconds:.1f}" if is_whole else f"over {played.seconds:.0f}",
                f"{played.cpu_seconds:.1f}" if is_whole else "-",
                f"{played.peak_bytes / MEBIBYTE:,.0f}" if is_whole else "-",
                size.asked or "-",
                f"{played.points:,}" if is_whole else "-",
                f"{played.runs:,}" if is_whole else "-",
                f"{played.scores['f1']:.2f}" if is_whole else "-",
            ]
        )
    head = [
        *("planner", "revisions", "options", "noise", "seconds", "CPU seconds", "MiB"),
        *("asked for", "points", "runs", "F1"),
    ]
    return table(head, rows)
