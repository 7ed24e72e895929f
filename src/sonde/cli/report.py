"""`sonde report`: one HTML page of everything that is known."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Benchmarks, Json, NoSandbox, ProjectPath, Range, StatePath


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
    from sonde.cli.terminal.printing import print_json, say, write_file
    from sonde.report.page.document import plain_document
    from sonde.report.page.histories import history_page
    from sonde.workflows.projects import open_project
    from sonde.workflows.report.known import known_histories
    from sonde.workflows.report.writing import page_context, written_page
    from sonde.workflows.targets import MeasuringRequest

    opened = open_project(project, state)
    request = MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ()))
    found = known_histories(opened, request, not no_sandbox)
    words = command_words(no_sandbox, state, project)
    command = shlex.join(["sonde", *sys.argv[1:]])
    page = history_page(found, page_context(opened, found.history, command, words, time.time()))
    if json:
        print_json(plain_document(page))
        return
    write_file(output, written_page(page))
    say(f"{page.sentence}\n\nWritten to {output}.")


def command_words(no_sandbox: bool, state: Path | None, project: Path) -> tuple[str, ...]:
    """Arguments of a command that is shown, so that it works in the same place."""
    return (
        *(["--no-sandbox"] if no_sandbox else []),
        *(["--state", str(state)] if state is not None else []),
        *(["--project", str(project)] if project != Path() else []),
    )
