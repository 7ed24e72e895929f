"""Tells what `sonde check` saves and misses: `python -m studies.check.saving --project FOLDER --demo`.

The section goes to stdout; `--write` also puts it into docs/studies/check.md. Checks and counts are kept in a
scratch folder, so that an interrupted study goes on where it was. It takes hours.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir

from sonde.core.revisions import RevisionId
from sonde.effects.demo_subject.write import write_demo
from sonde.space.space import Space
from sonde.workflows.check.space import shared_space
from sonde.workflows.projects import open_project
from studies.check.saving_checks import Checked, CheckSettings, Progress, check_all
from studies.check.saving_judging import LEAST_REGRESSION, Judged, judge
from studies.check.saving_planted import PlantedTruth
from studies.check.saving_revisions import last_revisions
from studies.check.saving_table import alarm_list, finding_table, regression_table, saving_table
from studies.check.saving_truth import CountedTruth, count_all
from studies.pages import write_sections

DEMO = "demo"
TITLE = "What it saves, and what it misses"


@dataclass(frozen=True)
class Study:
    """What the user wishes for."""

    scratch: Path
    projects: tuple[Path, ...]  # folders of project files
    revisions: int = 100  # the last ones of each branch
    touching: tuple[str, ...] = ()  # patterns of files; only revisions that change one are checked
    has_demo: bool = False
    settings: CheckSettings = field(default_factory=CheckSettings)
    least: float = LEAST_REGRESSION
    shares_state: bool = False  # the truth uses builds and counts of the checks
    title: str = TITLE
    arguments: str = "--write"  # what the page says that it was made with


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.check.saving", description=__doc__)
    scratch = Path(gettempdir()) / "sonde-check-saving"
    arguments.add_argument(
        "--project", type=Path, action="append", default=[], help="folder of a project file"
    )
    arguments.add_argument("--demo", action="store_true", help="also the demo, whose truth is planted")
    arguments.add_argument("--revisions", type=int, default=100, help="the last ones (default 100)")
    arguments.add_argument(
        "--touching", action="append", default=[], help="only revisions that change such files, as src/*.c"
    )
    arguments.add_argument("--scratch", type=Path, default=scratch, help="where everything is kept")
    arguments.add_argument("--audit", type=int, default=0, help="audits of each check (default 0)")
    arguments.add_argument(
        "--least", type=float, default=LEAST_REGRESSION, help="growth that is a regression (default 0.05)"
    )
    arguments.add_argument(
        "--share-state", action="store_true", help="the truth uses builds and counts of the checks"
    )
    arguments.add_argument("--title", default=TITLE, help="of the section of the page")
    arguments.add_argument("--no-sandbox", action="store_true", help="build and run without one")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/check.md")
    chosen = arguments.parse_args()
    words = [f"--project {each.resolve().name}" for each in chosen.project]
    words += ["--demo"] if chosen.demo else []
    words += [f"--revisions {chosen.revisions}"] if chosen.revisions != 100 else []
    words += [f"--touching '{each}'" for each in chosen.touching]
    words += [f"--audit {chosen.audit}"] if chosen.audit else []
    words += [f"--least {chosen.least}"] if chosen.least != LEAST_REGRESSION else []
    words += ["--share-state"] if chosen.share_state else []
    words += [f'--title "{chosen.title}"'] if chosen.title != TITLE else []
    study = Study(
        chosen.scratch.resolve(),
        tuple(chosen.project),
        chosen.revisions,
        tuple(chosen.touching),
        chosen.demo,
        CheckSettings(chosen.audit, not chosen.no_sandbox),
        chosen.least,
        chosen.share_state,
        chosen.title,
        " ".join([*words, "--write"]),
    )
    section = write_saving(study, _tell)
    print(section)
    if chosen.write:
        write_sections("check", [section])
    return 0


def write_saving(study: Study, progress: Progress) -> str:
    """Check and count what is missing, and tell it all."""
    found = [_of_project(study, folder, progress) for folder in study.projects]
    if study.has_demo:
        found.append(_of_demo(study, progress))
    judged = [(name, each) for name, each, _ in found]
    parts = [
        _BEGINNING.format(
            title=study.title,
            arguments=study.arguments,
            which=(_TOUCHING if study.touching else _CONSECUTIVE).strip(),
        ),
        saving_table(judged),
        _FINDINGS.format(least=f"{100 * study.least:g} %"),
        finding_table(judged),
        *(text for _, _, text in found),
        *_details(judged),
    ]
    return "\n\n".join(part.strip() for part in parts)


def _details(judged: Sequence[tuple[str, Judged]]) -> Iterator[str]:
    """Every regression of each history, and every false alarm."""
    for name, each in judged:
        yield f"### The regressions of {name}"
        yield regression_table(each.regressions)
        if each.alarms:
            yield f"False alarms of {name}:\n\n{alarm_list(each.alarms)}"


def _of_project(study: Study, folder: Path, progress: Progress) -> tuple[str, Judged, str]:
    name = folder.resolve().name
    scratch = study.scratch / name
    scratch.mkdir(parents=True, exist_ok=True)
    checks = _checks(study, folder, scratch, progress)
    ends = [end for each in checks if each.base is not None for end in (each.base, each.revision)]
    revisions = list(dict.fromkeys(ends))
    project = open_project(folder, scratch / ("state" if study.shares_state else "truth-state"))
    truth = count_all(project, revisions, scratch / "truth.jsonl", study.settings.is_sandboxed, progress)
    return name, judge(checks, truth, study.least), _effort(name, truth, study.shares_state)


def _of_demo(study: Study, progress: Progress) -> tuple[str, Judged, str]:
    folder = study.scratch / DEMO
    if not folder.exists():
        write_demo(folder)
    scratch = study.scratch / f"{DEMO}-checks"
    scratch.mkdir(parents=True, exist_ok=True)
    checks = _checks(study, folder, scratch, progress)
    project = open_project(folder)
    benchmarks = tuple(each.name for each in project.file.subject.benchmarks)
    planted = json.loads((folder / "truth.json").read_text())

    def space(base: RevisionId, head: RevisionId) -> Space:
        return shared_space(project, head, base)

    truth = PlantedTruth(project.history(""), space, benchmarks, planted)
    return DEMO, judge(checks, truth, study.least), _PLANTED


def _checks(study: Study, folder: Path, scratch: Path, progress: Progress) -> list[Checked]:
    project = open_project(folder, scratch / "state")
    revisions = last_revisions(project.repository, project.history(""), study.revisions, study.touching)
    return check_all(project, revisions, scratch / "checks.jsonl", study.settings, progress)


def _effort(name: str, truth: CountedTruth, shares_state: bool) -> str:
    counted = truth.revisions.values()
    runs = sum(each.runs for each in counted)
    counts = sum(len(each.counts) for each in counted)
    known = "Equal code, and what the checks have counted," if shares_state else "Equal code"
    return (
        f"The truth of {name} has {counts:,} counts at {len(counted)} revisions. {known} is not run\n"
        f"again: it took {runs:,} runs."
    )


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


_BEGINNING = """
## {title}

Written by `python -m studies.check.saving {arguments}`; do not edit it by hand.

{which}
in one state folder, as a CI job with a cache does it. A *case* is a benchmark in a valid configuration.
*Proven* cases are unchanged; the others that were not measured were left out because the change cannot reach
hot code through their options, or because a sample stands for them. Runs and builds are all that the checks
took: profiles and bitcode as well. Minutes are those of a machine that had other work.
"""
_CONSECUTIVE = "Each of these consecutive revisions is compared with its first parent, one after the other,"
_TOUCHING = """
Each of these revisions, the last ones of a branch that change files of source code, is compared with its
first parent, one after the other,
"""
_FINDINGS = """
The truth is in instructions. A *regression* is a benchmark of a revision that takes at least {least} more of
them than at its base, or fails there alone, in some configuration. It is *found* if the benchmark is called
slower (or failing) in any configuration, by what was measured or by an audit, and *missed* otherwise. A
*false alarm* is a case that is called slower and grows by less than 1 %. *Exit code 1* counts the revisions
with a regression. An audit *missed* shows a change that nothing else in its check shows; its bound holds with
95 % confidence.
"""
_PLANTED = """
The truth of the demo is what was planted in it; `studies/demo_subject` has counted it.
"""

if __name__ == "__main__":
    sys.exit(main())
