"""Where the answer of `sonde check` goes: stdout, a file, and the summary of a CI job."""

from __future__ import annotations

from pathlib import Path

from sonde.cli.terminal.printing import print_json, say, stdout_width, write_file
from sonde.core.findings.comparisons import Check
from sonde.report.check.json import check_json
from sonde.report.check.markdown import check_markdown
from sonde.report.check.text import check_text

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
