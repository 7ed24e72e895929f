"""From findings to the text of the page: assets from the package, tags from git."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from importlib.resources.abc import Traversable

from sonde import __version__
from sonde.core.revisions import History
from sonde.methods.comparison.patterns import shared_term
from sonde.report.page.document import page_document
from sonde.report.page.histories import PageContext
from sonde.report.page.html import PageAssets, page_html
from sonde.report.page.model import Page, ReportFact
from sonde.workflows.projects import OpenProject

SCRIPTS = (
    "elements.js",
    "unpacking.js",
    "scales.js",
    "drawing.js",
    "marks.js",
    "axes.js",
    "plot.js",
    "pointing.js",
    "describing.js",
    "changes.js",
    "histories.js",
    "cases.js",
    "start.js",
)
MOST_TAGS = 400  # a page with more shows none, for they would cover each other


def written_page(page: Page) -> str:
    """The page as one HTML text."""
    return page_html(page_document(page), read_assets())


def page_context(
    project: OpenProject,
    history: History,
    command: str,
    words: tuple[str, ...],
    now: float,
    further: tuple[ReportFact, ...] = (),
) -> PageContext:
    """What a page of a project needs beside its findings; `command` made it, at `now` (seconds)."""
    made = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    facts = (
        ReportFact("Made by", f"Sonde {__version__}, {made}"),
        ReportFact("Repeat it with", command, is_command=True),
        *further,
    )
    name = project.file.repository.resolve().name.removesuffix(".git")
    return PageContext(name, shared_term, _tags(project, history), words, facts)


def read_assets() -> PageAssets:
    """The template, style and scripts of the page."""
    folder = files("sonde.report.page").joinpath("assets")
    return PageAssets(
        _text(folder, "page.html"),
        _text(folder, "page.css"),
        tuple(_text(folder, name) for name in SCRIPTS),
    )


def _text(folder: Traversable, name: str) -> str:
    return folder.joinpath(name).read_text("utf-8")


def _tags(project: OpenProject, history: History) -> Mapping[int, str]:
    """The tags of each position of the history."""
    names: defaultdict[int, list[str]] = defaultdict(list)
    for name, revision in project.repository.tags().items():
        if revision in history:
            names[history.positions[revision]].append(name)
    if len(names) > MOST_TAGS:
        return {}
    return {position: ", ".join(some) for position, some in names.items()}
