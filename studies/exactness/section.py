"""A section of docs/studies/exactness.md: every change of a project, and what measuring it again gives."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.options import Configuration
from studies.exactness.remeasuring import Remeasured
from studies.exactness.reported import Reported
from studies.history.markdown import table

Rows = Sequence[tuple[Reported, Remeasured]]

CLOSE = 0.1  # percentage points

PAGE_HEAD = f"""\
# Exactness: reported sizes, measured again

Written by `python -m studies.exactness`; do not edit it by hand. Every change that `sonde history --exact`
and `sonde pinpoint` report of a project, by instructions, is measured again: the two revisions whose
difference it is are built in an empty state folder and measured by `sonde measure`, and the same builds run
under plain `valgrind --tool=cachegrind --cache-sim=no` outside of the sandbox, at least twice each.
*Reported*, *measure* and *cachegrind* are percent of the value before. *Off* is the larger distance of the
reported size from both, in percentage points; at most {CLOSE} is right. *Spread* is by how many percent the
counts of a revision differ from run to run: where it is 0, the program is deterministic.
"""


def section(name: str, revisions: int, rows: Rows) -> str:
    """The changes of a project, and how many sizes hold."""
    lines = [
        [
            each.command,
            each.after[:8] if each.is_exact else f"{each.before[:8]}..{each.after[:8]}",
            each.benchmark,
            _spelled(each.configuration),
            f"{each.percent:+.2f} [{each.low:+.2f}, {each.high:+.2f}]",
            f"{again.measured:+.2f}",
            f"{again.counted:+.2f}",
            f"{_off(each, again):.2f}",
            f"{again.spread:.2f}",
        ]
        for each, again in rows
    ]
    head = (
        "command",
        "revision",
        "benchmark",
        "configuration",
        "reported",
        "measure",
        "cachegrind",
        "off",
        "spread",
    )
    close = sum(_off(each, again) <= CLOSE for each, again in rows)
    inside = sum(each.low - CLOSE / 10 <= again.measured <= each.high + CLOSE / 10 for each, again in rows)
    said = (
        f"{revisions} revisions, {len(rows)} changes. {close} of {len(rows)} sizes lie within {CLOSE} points "
        f"of both; {inside} intervals hold what `sonde measure` gives, to .01 points."
    )
    return "\n\n".join([f"## {name}", said, table(head, lines, texts=4)])


def _off(each: Reported, again: Remeasured) -> float:
    return max(abs(each.percent - again.measured), abs(each.percent - again.counted))


def _spelled(configuration: Configuration) -> str:
    """What is on or has a value; nothing else in words."""
    return ",".join(str(literal) for literal in configuration if literal.value is not False) or "-"
