"""The command that shows a change, or narrows it down."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.findings.histories import ChangePoint, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.revisions import History
from sonde.report.labels import difference


def change_command(
    change: ChangePoint,
    series: SeriesHistory,
    history: History,
    default: Configuration,
    words: Sequence[str] = (),
) -> str:
    """Shows the values of both sides where the revision is known; measures between them where it is not.

    `words` are further arguments, such as the project.
    """
    configuration = difference(series.configuration, default)
    chosen = [] if configuration == "default" else ["-c", configuration]
    revisions = _range(change, history)
    if change.revisions_apart > 1:
        command = ["history", series.benchmark, "--range", revisions, *chosen, "--exact"]
    else:
        command = ["show", revisions, "-b", series.benchmark, *chosen]
    return shlex.join(["sonde", *command, *words])


def _range(change: ChangePoint, history: History) -> str:
    """From the last revision before the change to the last that can be it, as git takes it."""
    last = history[change.latest].short
    if change.earliest > 1:
        return f"{history[change.earliest - 2].short}..{last}"
    first = history[max(change.earliest - 1, 0)]
    return f"{first.short}~..{last}" if first.parents else last
