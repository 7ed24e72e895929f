"""Histories by time, with and without a reference, against counted instructions.

    python -m studies.history.times PROJECT --range A..B --timed html --counted html-counted

A project file has the same command as two benchmarks, one with a metric of time and one with instructions.
Each way measures the history in a state folder of its own, so that neither knows what the other has measured.
For each change that a way reports, instructions of the two revisions that differ are counted: where they
differ by less than 1 %, they contradict it. The rows go to stdout as Markdown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import expm1, log, log1p
from pathlib import Path

from sonde.core.findings.histories import Histories
from sonde.core.points import Point
from sonde.core.revisions import RevisionId, short
from sonde.workflows.api import Silence
from sonde.workflows.history.estimating import HistoryRequest, history
from sonde.workflows.measure.measuring import measure
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest

CONTRADICTED = log1p(0.01)  # of instructions: what differs by less is no change
WAYS = {"alone": False, "beside a reference": True}


@dataclass(frozen=True)
class Question:
    """What is measured, and of what."""

    project: Path
    state: Path
    revisions: str  # a range
    timed: str
    counted: str
    budget: str


@dataclass(frozen=True)
class Row:
    """A change that was reported: its size, and that of the instructions, as logarithms."""

    before: RevisionId
    after: RevisionId
    effect: float
    low: float
    high: float
    place: str
    instructions: float | None  # None: they could not be counted

    @property
    def is_contradicted(self) -> bool:
        """Whether the work is the same."""
        return self.instructions is not None and abs(self.instructions) < CONTRADICTED


def main() -> int:
    """Print the rows of both ways."""
    arguments = argparse.ArgumentParser(prog="studies.history.times", description=__doc__)
    arguments.add_argument("project", type=Path)
    arguments.add_argument("--range", default="")
    arguments.add_argument("--timed", required=True, help="the benchmark whose history is asked for")
    arguments.add_argument("--counted", required=True, help="the same by instructions")
    arguments.add_argument("--budget", default="15%")
    arguments.add_argument("--state", type=Path, required=True, help="a folder for the states of both ways")
    chosen = arguments.parse_args()
    question = Question(
        chosen.project, chosen.state, chosen.range, chosen.timed, chosen.counted, chosen.budget
    )
    for way, has_reference in WAYS.items():
        found = history_of(question, way, has_reference=has_reference)
        rows = list(rows_of(question, found))
        print("\n".join(table(way, found, rows)), flush=True)
    return 0


def history_of(question: Question, way: str, *, has_reference: bool) -> Histories:
    """The history in one way, each change narrowed to one revision as far as possible."""
    project = open_project(question.project, question.state / way.split(maxsplit=1)[0])
    request = MeasuringRequest(question.revisions, (), (question.timed,), None, question.budget)
    how = HistoryRequest(exact=True, has_reference=has_reference)
    return history(project, request, how, is_sandboxed=True, watcher=Silence())


def rows_of(question: Question, found: Histories) -> Iterator[Row]:
    """Each change with what the instructions of its two revisions say."""
    for series in found.series:
        for change in series.changes:
            first, last = (found.history[at].id for at in (change.earliest - 1, change.latest))
            before, after = counted(question, first), counted(question, last)
            instructions = None if before is None or after is None else log(after / before)
            apart = change.revisions_apart
            place = "exact" if change.is_exact else "not clear" if apart == 1 else f"{apart} apart"
            yield Row(first, last, change.effect, change.effect_low, change.effect_high, place, instructions)


def counted(question: Question, revision: RevisionId) -> float | None:
    """The instructions of one revision."""
    project = open_project(question.project, question.state / "counted")
    request = MeasuringRequest(f"{revision}^..{revision}", (), (question.counted,))
    survey = measure(project, request, is_sandboxed=True, watcher=Silence()).survey
    return survey.value(Point(revision, project.file.space.default, question.counted))


def table(way: str, found: Histories, rows: list[Row]) -> Iterator[str]:
    """What one way reported, as Markdown."""
    contradicted = sum(row.is_contradicted for row in rows)
    measured = sum(series.measured for series in found.series)
    yield f"**{way}**: {len(rows)} changes reported, {contradicted} of them contradicted by instructions;"
    yield f"{measured} of {len(found.history)} revisions measured, {found.spent.runs} runs.\n"
    yield "| between | change | 90 % interval | place | instructions |"
    yield "| --- | --: | --- | --- | --: |"
    for row in rows:
        interval = f"{_percent(row.low)} to {_percent(row.high)}"
        instructions = "" if row.instructions is None else _percent(row.instructions)
        between = f"{short(row.before)}, {short(row.after)}"
        yield f"| {between} | {_percent(row.effect)} | {interval} | {row.place} | {instructions} |"
    yield ""


def _percent(effect: float) -> str:
    return f"{100 * expm1(effect):+.1f} %"


if __name__ == "__main__":
    sys.exit(main())
