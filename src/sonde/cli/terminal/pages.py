"""Where a page is written, and what it says of the command that made it."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sonde.cli.terminal.printing import write_file
from sonde.core.revisions import History
from sonde.report.page.histories import PageContext
from sonde.report.page.model import Page, ReportFact
from sonde.workflows.projects import OpenProject
from sonde.workflows.report.writing import page_context, written_page


def context_of(
    project: OpenProject, history: History, words: tuple[str, ...], facts: tuple[ReportFact, ...] = ()
) -> PageContext:
    """What a page of this command needs beside its findings."""
    return page_context(project, history, shlex.join(["sonde", *sys.argv[1:]]), words, time.time(), facts)


def write_page(
    file: Path | None,
    project: OpenProject,
    history: History,
    words: tuple[str, ...],
    page_of: Callable[[PageContext], Page],
) -> None:
    """Write a page where the user wants one."""
    if file is not None:
        write_file(file, written_page(page_of(context_of(project, history, words))))
