"""Where the answer of `sonde check` goes: stdout, a file, and the summary of a CI job."""

from __future__ import annotations

from pathlib import Path

from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_width, write_file
from sonde.cli.terminal.progress import Progress
from sonde.core.findings.comparisons import Check
from sonde.report.check.json import check_json
from sonde.report.check.markdown import check_markdown
from sonde.report.check.text import check_text
from sonde.report.plans import check_plan_json, check_plan_text
from sonde.workflows.check.planning import plan_check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringRequest

STDOUT = Path("-")


def write_outputs(check: Check, as_json: bool, markdown: Path | None, job_summary: str) -> None:
    """Print the answer, then write it wherever else it is wanted; a job's summary is added to.

    What cannot be written is an error only after the answer was printed.
    """
    if as_json:
        print_json(check_json(check))
    elif markdown == STDOUT:
        say(check_markdown(check))
    else:
        say(check_text(check, stdout_width()))
    if job_summary:
        write_file(Path(job_summary), check_markdown(check), "a")
    if markdown is not None and markdown != STDOUT:
        write_file(markdown, check_markdown(check))


def say_plan(
    project: OpenProject, request: MeasuringRequest, how: CheckRequest, is_sandboxed: bool, as_json: bool
) -> None:
    """Print what a check would take, and do nothing."""
    with Progress(stderr_console()) as progress:
        plan = plan_check(project, request, how, is_sandboxed, progress)
    if as_json:
        print_json(check_plan_json(plan))
    else:
        say(check_plan_text(plan))
