"""The command with which a finding of `sonde pinpoint` can be checked."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.findings.pinpoints import Pinpointed, Pinpoints, TermChange
from sonde.core.results import Metric
from sonde.core.revisions import History
from sonde.report.labels import difference

NEW_RUNS = 5


def measure_command(
    change: TermChange, found: Pinpointed, pinpoints: Pinpoints, words: Sequence[str] = ()
) -> str:
    """The command that shows a finding: from the last revision before it to the last that can be it.

    Metrics with noise get more runs than any of these points has, so that it takes new ones.
    """
    arguments = [
        _range(change, pinpoints.history),
        "-b",
        found.benchmark,
        "-c",
        written_configuration(change, pinpoints),
    ]
    if found.metric is not Metric.INSTRUCTIONS:
        known = pinpoints.most_samples.get((found.benchmark, change.shown_in), 0)
        arguments += ["--runs", str(known + NEW_RUNS)]
    return shlex.join(["sonde", "measure", *arguments, *words])


def _range(change: TermChange, history: History) -> str:
    """As `sonde measure` takes it, without the revision that it begins with."""
    begin, last = min(change.earliest - 1, change.before), history[max(change.latest, change.after)].short
    if begin > 0:
        return f"{history[begin - 1].short}..{last}"
    first = history[0]
    return f"{first.short}~..{last}" if first.parents else last


def written_configuration(change: TermChange, pinpoints: Pinpoints) -> str:
    """The configuration in which a finding shows best, as `-c` takes it."""
    return difference(change.shown_in, pinpoints.default)
