"""Systems without any change: how many of them yield a finding all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.history.markdown import percent, table
from studies.pinpoint.replays import OracleTask
from studies.pinpoint.running import Outcomes

MOST_ALARMS = 0.02  # of all systems: 4 of 200


@dataclass(frozen=True)
class QuietSystems:
    """So many systems a planner, of these sizes in turn."""

    number: int = 200
    paper_number: int = 8
    options: Sequence[int] = (8, 16, 32, 64)
    noise: float = 0.03
    revisions: int = 1000
    first_seed: int = 1

    def tasks(self, judge: Path) -> list[OracleTask]:
        """All of both planners; each system has its own seed."""
        return [
            OracleTask(
                judge,
                planner,
                self.options[at % len(self.options)],
                0,
                self.noise,
                self.first_seed + at,
                self.revisions,
            )
            for planner, number in ((DEFAULT, self.number), (PAPER, self.paper_number))
            for at in range(number)
        ]


def section(systems: QuietSystems, judge: Path, outcomes: Outcomes) -> str:
    """A row a planner and number of options."""
    tasks = systems.tasks(judge)
    rows = []
    for planner in (DEFAULT, PAPER):
        for options in (None, *systems.options):
            some = [
                outcomes[task]
                for task in tasks
                if task.planner == planner and (options is None or task.options == options)
            ]
            if some:
                rows.append(
                    [
                        planner,
                        "all" if options is None else str(options),
                        str(len(some)),
                        str(sum(bool(one.findings) for one in some)),
                        f"{fmean(len(one.findings) for one in some):.2f}",
                        f"{fmean(one.runs for one in some):,.0f}",
                        f"{fmean(one.seconds for one in some):.1f}",
                    ]
                )
    head = ["planner", "options", "systems", "with a finding", "findings a system", "runs", "seconds"]
    asked = f"At {percent(systems.noise)} noise {percent(MOST_ALARMS)} of the systems may have a finding: "
    return f"{table(head, rows, texts=2)}\n\n{asked}{MOST_ALARMS * systems.number:.0f} of {systems.number}."
