"""Pages of made histories, and texts that try to break out of one."""

from __future__ import annotations

from dataclasses import replace

from sonde.core.findings.histories import Histories
from sonde.core.revisions import History
from sonde.methods.comparison.patterns import shared_term
from sonde.report.page.histories import PageContext, history_page
from sonde.report.page.model import Page, ReportFact
from tests.report.made_histories import DEFAULT, STRONG, Step, histories_of, stepped

CONTEXT = PageContext(
    "packer",
    shared_term,
    {12: "v1.0", 70: "v1.1"},
    ("--no-sandbox",),
    (
        ReportFact("Made by", "Sonde, 2024-01-01 00:00 UTC"),
        ReportFact("Repeat it with", "sonde report", is_command=True),
    ),
)

HOSTILE = (
    "</script><script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 2'>",
    "\u202egnihton\u202c \x1b[31mred\x1b[0m \u2028 line",
    "'\"`${window.broken = 3} {{7*7}} -->",
)


def made_histories() -> Histories:
    """Two benchmarks, one of them in two configurations, with changes of every kind."""
    return histories_of(
        stepped(90, 0.05, [Step(30, 0.08), Step(60, 0.06, 4)], failed=(41, 42)),
        stepped(90, 0.04, [Step(30, 0.05)], configuration=STRONG, absent=range(8)),
        stepped(90, 2.0, [Step(45, 2.004)], benchmark="unpack"),
    )


def long_page() -> Page:
    """A page with filters: enough changes, of two benchmarks and three authors."""
    steps = [Step(10, 0.06), Step(31, 0.08), Step(52, 0.05), Step(71, 0.07)]
    found = histories_of(
        stepped(90, 0.05, steps),
        stepped(90, 0.05, [Step(40, 0.09)], benchmark="unpack", configuration=STRONG),
    )
    return history_page(found, CONTEXT)


def made_page() -> Page:
    return history_page(made_histories(), CONTEXT)


def hostile_histories() -> Histories:
    """Every text that a repository can choose tries to be more than a text."""
    found = made_histories()
    revisions = tuple(
        replace(
            revision,
            subject=HOSTILE[number % len(HOSTILE)],
            author=HOSTILE[(number + 1) % len(HOSTILE)],
        )
        for number, revision in enumerate(found.history)
    )
    series = tuple(replace(each, benchmark=HOSTILE[number]) for number, each in enumerate(found.series))
    return replace(found, history=History(revisions), series=series, default=DEFAULT)


def hostile_page() -> Page:
    context = replace(CONTEXT, project=HOSTILE[0], tags=dict(enumerate(HOSTILE)))
    return history_page(hostile_histories(), context)
