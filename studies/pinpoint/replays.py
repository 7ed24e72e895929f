"""What the study plays: a planner against a system of the judge, or against a recording."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sonde.core.events import Event
from sonde.core.findings.pinpoints import ReplayedPinpoints
from sonde.effects.oracles import checked_oracle
from sonde.methods.pinpointing.likelihoods.search import Likelihoods
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.search import Search
from sonde.report.replay.pinpoint import replay_pinpoint_json
from sonde.workflows.pinpoint.searches import PAPER, search_named
from sonde.workflows.replay.pinpoint import PinpointReplay, RecordedRequest, replay_oracle, replay_recording
from studies.pinpoint.counted_search import CountedSearch
from studies.pinpoint.judge import Json, Judge

THRESHOLD = 0.05


@dataclass(frozen=True)
class Played:
    """What came of a replay; the judge's scores where a truth is at hand."""

    findings: list[Json]
    runs: int
    points: int
    seconds: float  # that the planner thought
    iterations: int
    ending: str
    scores: Json = field(default_factory=dict)
    degree: int = 0  # of the largest term that changes
    peak_bytes: int = 0  # of its process, if it had one to itself ...
    cpu_seconds: float = 0.0  # ... and what this took in all


@dataclass(frozen=True)
class OracleTask:
    """A planner against a system of the judge; the last two are the paper's planner's own."""

    judge: Path
    planner: str
    options: int
    changes: int
    noise: float
    seed: int
    revisions: int = 1000
    p: float = 0.7  # the larger, the fewer options interact
    initial_factor: int = PaperSettings().initial_factor
    measurements: int = PaperSettings().measurements

    def run(self) -> Played:
        """Play it, and have it judged."""
        judge = Judge(self.judge)
        system = judge.system(
            options=self.options,
            revisions=self.revisions,
            changes=self.changes,
            p=self.p,
            noise=self.noise,
            seed=self.seed,
        )
        counted = CountedSearch(self._search())
        request = PinpointReplay(self.planner, f"{THRESHOLD:.0%}", seed=self.seed)
        oracle = checked_oracle("System", system)
        played = _played(replay_oracle(oracle, request, Silent(), {self.planner: lambda: counted}), counted)
        truth = system.truth(THRESHOLD)
        degrees = [len(change["options"]) for change in truth["change_points"] if change["counts"]]
        return Played(
            **{
                **vars(played),
                "scores": judge.score(truth, played.findings),
                "degree": max(degrees, default=0),
            }
        )

    def _search(self) -> Search:
        if self.planner != PAPER:
            return search_named(self.planner)
        return Likelihoods(PaperSettings(initial_factor=self.initial_factor, measurements=self.measurements))


@dataclass(frozen=True)
class RecordingTask:
    """A planner against a recording; who plays it has it judged."""

    recording: Path
    planner: str
    threshold: str
    budget: str  # empty: until the search ends by itself
    seed: int
    draws_runs: bool = False  # by the recorded deviations; else the recorded value each time

    def run(self) -> Played:
        """Play it."""
        counted = CountedSearch(search_named(self.planner))
        request = PinpointReplay(self.planner, self.threshold, self.budget, self.seed)
        recorded = RecordedRequest(self.recording, draw_repeats=self.draws_runs)
        return _played(
            replay_recording(recorded, request, Silent(), {self.planner: lambda: counted}), counted
        )


class Silent:
    """Watches without a word."""

    def notice(self, event: Event) -> None:
        """Take no note."""


def _played(replayed: ReplayedPinpoints, counted: CountedSearch) -> Played:
    said = replay_pinpoint_json(replayed)
    findings = said["findings"]
    assert isinstance(findings, list)
    return Played(
        findings,
        replayed.runs,
        replayed.found.points + replayed.found.failed,
        replayed.planner_seconds,
        counted.iterations,
        replayed.found.ending,
    )
