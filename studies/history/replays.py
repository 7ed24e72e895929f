"""Planners played against recordings, as `sonde replay history --rows --changes` does, and judged."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sonde.core.events import Event
from sonde.workflows.replay.history import HistoryReplay, replay_history
from studies.history.recordings import SHARES, SeriesKey, Studied, points_of

DEFAULT = "shared-changes"
GREEDY = "greedy"
PAPER = "paper"
RANDOM = "random"


@dataclass(frozen=True)
class Replay:
    """A planner's answers: estimates and changes (revisions) by series, and the judge's figures, if any."""

    recording: str
    planner: str
    joint: bool
    shares: tuple[float, ...]  # those that come to the same number of revisions of each series
    estimates: Mapping[SeriesKey, Sequence[float]]
    changes: Mapping[SeriesKey, Sequence[int]]
    builds: int
    figures: Mapping[str, float]  # empty without a judge

    @property
    def name(self) -> str:
        return f"{self.planner} --joint" if self.joint else self.planner


@dataclass(frozen=True)
class ReplayTask:
    """One planner on one recording, to be run in any process."""

    recording: Path
    planner: str
    joint: bool
    shares: tuple[float, ...]
    judge: Path | None

    def run(self) -> Replay:
        with TemporaryDirectory() as folder:
            rows, changes = Path(folder, "rows.csv"), Path(folder, "changes.csv")
            request = HistoryReplay(
                self.recording,
                self.planner,
                f"{self.shares[0]:.0%}",
                joint=self.joint,
                rows=rows,
                changes=changes,
            )
            replayed = replay_history(request, _Silent())
            figures: Mapping[str, float] = {}
            if self.judge is not None:
                words = [sys.executable, *map(str, (self.judge, "history", self.recording, rows, changes))]
                figures = json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)
            estimates: defaultdict[SeriesKey, list[float]] = defaultdict(list)
            for row in _rows(rows):
                estimates[_key(row)].append(float(row["predicted"]))
            found: defaultdict[SeriesKey, list[int]] = defaultdict(list)
            for row in _rows(changes):
                found[_key(row)].append(int(row["revision"]))
        return Replay(
            self.recording.name,
            self.planner,
            self.joint,
            self.shares,
            dict(estimates),
            dict(found),
            replayed.builds,
            figures,
        )


def tasks(recording: Studied, judge: Path | None) -> list[ReplayTask]:
    """What the tables need: our planners always, the paper's and the joint lists only for the judge."""
    wanted = [(DEFAULT, False), (GREEDY, False)]
    if judge is not None:
        wanted += [(DEFAULT, True), (PAPER, False), (RANDOM, False)]
    return [
        ReplayTask(recording.folder, planner, joint, shares, judge)
        for planner, joint in wanted
        for shares in reversed(_distinct(recording))
    ]


def at_share(
    replays: Sequence[Replay], recording: str, planner: str, share: float, joint: bool = False
) -> Replay:
    """The one replay of that kind."""
    return next(
        one
        for one in replays
        if (one.recording, one.planner, one.joint) == (recording, planner, joint) and share in one.shares
    )


def _distinct(recording: Studied) -> list[tuple[float, ...]]:
    """Shares, those together that allow for the same numbers of revisions: in a short series all may."""
    together: defaultdict[tuple[int, ...], list[float]] = defaultdict(list)
    for share in SHARES:
        together[tuple(points_of(share, len(one.revisions)) for one in recording.series)].append(share)
    return [tuple(shares) for shares in together.values()]


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def _key(row: Mapping[str, str]) -> SeriesKey:
    return row.get("configuration", ""), row.get("benchmark", "")


class _Silent:
    """Watches without a word."""

    def notice(self, event: Event) -> None:
        """Take no note."""
