"""`sonde report`: one HTML page of everything that is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    Benchmarks,
    Json,
    NoSandbox,
    ProjectPath,
    Range,
    StatePath,
    command_words,
)


def report(
    range: Range = "",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="File to write the page to.")
    ] = Path("sonde-report.html"),
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration",
            "-c",
            help="Configuration, such as 'level=9,checksum,!filter'. Repeatable.",
            show_default="every measured configuration",
        ),
    ] = None,
    benchmark: Benchmarks = None,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Write one HTML page: what got slower or faster, since when, where, and how certain that is.

    It measures nothing. The page is one file that loads nothing else, so you can send it or open it offline.
    """
    from sonde.cli.terminal.pages import context_of
    from sonde.cli.terminal.printing import print_json, say, write_file
    from sonde.report.page.document import plain_document
    from sonde.report.page.histories import history_page
    from sonde.report.page.model import ReportFact
    from sonde.workflows.projects import open_project
    from sonde.workflows.report.known import known_histories
    from sonde.workflows.report.writing import written_page
    from sonde.workflows.targets import MeasuringRequest

    opened = open_project(project, state)
    request = MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ()))
    found = known_histories(opened, request, not no_sandbox)
    facts = (ReportFact("Measured on", found.environment),)
    words = command_words(no_sandbox, state, project)
    histories = found.histories
    page = history_page(histories, context_of(opened, histories.history, words, facts))
    if json:
        print_json(plain_document(page))
        return
    write_file(output, written_page(page))
    say(f"{page.sentence}\n\nWritten to {output}.")
