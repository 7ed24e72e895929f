"""The page of the study: what was played, its tables, and how it differs from the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sonde.effects.machine import describe_machine
from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import table
from studies.pinpoint import (
    grid_table,
    labelled_table,
    oracle_table,
    quiet_table,
    release_table,
    scale_table,
)
from studies.pinpoint.grid import SEEDS, Grid, beside
from studies.pinpoint.judge import FILES, Judge
from studies.pinpoint.kept import Kept
from studies.pinpoint.oracle_table import Systems
from studies.pinpoint.quiet_table import QuietSystems
from studies.pinpoint.replays import RecordingTask
from studies.pinpoint.running import Progress, Task, play
from studies.pinpoint.scale_table import Scale

SOURCE = "Source:"


@dataclass(frozen=True)
class Study:
    """What the user wishes for."""

    recordings: Path
    judge: Path
    cache: Path | None = None
    systems: Systems = field(default_factory=Systems)
    quiet: QuietSystems = field(default_factory=QuietSystems)
    grid: Grid = field(default_factory=Grid)
    scale: Scale = field(default_factory=Scale)
    labelled_seeds: int = 10
    release_seeds: int = 5
    first_seed: int = 1
    workers: int = 2
    arguments: str = "--write"  # what the page says that it was made with


class CannotStudy(Exception):
    """Something that the study needs is not there."""


def _say_nothing(_: str) -> None:
    pass


def write_report(study: Study, progress: Progress = _say_nothing) -> str:
    """The whole page; it takes many minutes."""
    _check(study)
    judge, kept = Judge(study.judge), Kept(study.cache)
    labelled = labelled_table.tasks(study.recordings, study.labelled_seeds, study.first_seed)
    releases = release_table.tasks(study.recordings, study.release_seeds, study.first_seed)
    systems = study.systems.tasks(study.judge)
    drawn = study.grid.tasks(study.judge)
    wanted: list[Task] = [
        *study.scale.tasks(study.judge),
        *systems,
        *study.quiet.tasks(study.judge),
        *drawn,
        *map(beside, drawn),
        *labelled,
        *releases,
    ]
    outcomes = play(wanted, study.judge, kept, study.workers, progress)
    regressed = release_table.regress(study.recordings, kept, progress)
    parts = [
        _BEGINNING.format(workers=study.workers, arguments=study.arguments),
        "## Systems with changes",
        _SYSTEMS.format(
            revisions=study.systems.revisions,
            first=study.systems.first_seed,
            last=study.systems.first_seed + study.systems.seeds - 1,
            number=sum(task.planner == DEFAULT for task in systems),
            paper_number=sum(task.planner == PAPER for task in systems),
        ),
        oracle_table.section(study.systems, study.judge, outcomes),
        "## Systems without any change",
        _QUIET.format(number=study.quiet.number, paper_number=study.quiet.paper_number),
        quiet_table.section(study.quiet, study.judge, outcomes),
        "## The grid of the paper (Table 1, Figure 5)",
        _GRID.format(
            drawn=len(drawn),
            experiments=study.grid.experiments,
            share=100 * len(drawn) / study.grid.experiments,
            combinations=len(study.grid.combinations),
            seeds=SEEDS,
            seed=study.grid.seed,
        ),
        grid_table.section(study.grid, study.judge, outcomes),
    ]
    if labelled or releases:
        parts += ["## Recordings", _sources([*labelled, *releases])]
    if labelled:
        parts += ["## Labelled changes", _LABELLED, labelled_table.section(labelled, judge, outcomes)]
    if releases:
        parts += [
            "## Releases, against exhaustive regression",
            _RELEASES,
            release_table.section(releases, regressed, judge, outcomes),
        ]
    parts += [
        "## Long histories, many options",
        _SCALE.format(changes=study.scale.changes, machine=describe_machine().one_line()),
        scale_table.section(study.scale, study.judge, outcomes),
        "## Where this differs from the paper, and why",
        _DIFFERENCES,
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _check(study: Study) -> None:
    for file in (study.judge / name for name in FILES):
        if not file.is_file():
            raise CannotStudy(
                f"{file}: there is no such file. "
                f"Name the folder of the judge, which holds {' and '.join(FILES)}."
            )
    if not study.recordings.is_dir():
        raise CannotStudy(f"{study.recordings}: there is no such folder. Name the folder of recordings.")


def _sources(tasks: Sequence[RecordingTask]) -> str:
    rows = [[folder.name, _source(folder)] for folder in sorted({task.recording for task in tasks})]
    listed = table(["recording", "source, as its README names it"], rows, texts=2)
    return f"Recordings are not part of this repository.\n\n{listed}"


def _source(recording: Path) -> str:
    readme = recording / "README.md"
    lines = readme.read_text().splitlines() if readme.is_file() else []
    named = [line.removeprefix(SOURCE).strip() for line in lines if line.startswith(SOURCE)]
    return named[0] if named else "its README names no source"


_BEGINNING = """
# Pinpointing: the paper's planner beside ours

Written by `make study-pinpoint RECORDINGS=... JUDGE=... ARGS="{arguments}"`; do not edit it by hand.

It repeats the evaluation of S. Mühlbauer, S. Apel, N. Siegmund: Identifying Software Performance Changes
Across Variants and Versions (ASE 2020), and sets `shared-steps`, our default, beside `paper`, their planner
as Sonde has it. Each figure comes from replays, which are those of `sonde replay pinpoint`, and from a judge
that the study is given. F1, precision and recall are over pairs of a revision and a literal, the core being
one, within five revisions unless said otherwise; who finds nothing has a precision of 1. *Points* are
distinct pairs of a revision and a configuration; *runs* count repeats, too. *Seconds* are those that the
planner thinks, with {workers} replays at a time; they grow with whatever else the machine does. Figures are
means over replays. All but the seconds come out the same each time, for all that is drawn has a seed.
Sentences about a table are computed from it.
"""
_SYSTEMS = """
The judge's systems, after section 4.1.4: an influence for each option, a quarter as many interactions, and
the core; a change multiplies the influence of one of them. {revisions:,} revisions, a threshold of 5 %, and
planners that end by themselves. A change counts if its step is at least 5 %, and three times the noise, where
it shows best. `shared-steps` plays all combinations of options, changes and noise with the seeds {first} to
{last}, which are {number} systems. `paper`, which takes longer, plays {paper_number} of these, those of seed
{first} first, drawn so that each row has about as many.
"""
_QUIET = """
The same systems, without changes: {number} for `shared-steps`, {paper_number} for `paper`, each with a seed
of its own.
"""
_GRID = """
Table 1 has {combinations} combinations of six parameters, and with {seeds} systems each {experiments:,}
experiments, without noise. Of these {drawn} ({share:.1f} %) are drawn, with seed {seed}. Beside them stands
`shared-steps` on the same systems; the last two parameters are not among its own.
"""
_LABELLED = """
A threshold of 10 %, and no budget: planners end by themselves. A recording gives the same value each time, so
seeds differ only in what a planner draws. A finding belongs to the nearest change. *Alone*: in so many
replays the change is found with just this term, and with no other beside it.
"""
_RELEASES = """
A threshold of 5 %, and a budget of 5 % of the points. Exhaustive regression has all points. It explains each
step from a release to the next by terms of up to two literals; a term counts if its effect is at least 5 %
and three standard errors. Terms that hold in the same recorded configurations count as one, and a finding
must be at the very release. *Explained* is the share of the squares of all log steps that terms explain at
their releases, fitted to all points: it does not depend on how a term is called. Runs are *recorded* (the
recorded value each time, so that no repeat tells anything) or *drawn* (around it, by the recorded relative
deviation).
"""
_SCALE = """
{changes} changes. Each replay has a process of its own, with no other replay beside it. *CPU seconds* and
memory, at its most, are those of the whole process, with its libraries, the oracle and the record of the
campaign. `paper` is left out at 20,000 revisions and 500 options, where its initial sample alone takes
600,000 points. The machine: {machine}.
"""
_DIFFERENCES = """
- The systems are the judge's. In the paper influences are drawn from [-1, 1], so that values can be negative,
  which have no ratio.
- The paper counts 10,800 experiments in its grid; Table 1, as printed, has those above.
- `paper` has the paper's defaults, and where it gives a range the smallest initial sample and 200
  measurements an iteration. For recordings, section 4.2.2 begins with five random configurations and takes
  300 measurements an iteration; here they are played with the same defaults, and what a recording lacks is
  answered by its nearest configuration, as there.
- As printed, the criterion of ending cannot be met, for all weights stay below 1. It is checked before
  weights are decreased.
- The paper reports no noise for its systems, and repeats no measurement; so `paper` does not know the noise.
- The paper's recordings of xz and oggenc are not among ours.
"""
