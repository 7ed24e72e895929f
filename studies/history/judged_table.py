"""A table of our own: every planner, as the judge sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studies.history.markdown import percent, table
from studies.history.recordings import SHARES, Studied
from studies.history.replays import DEFAULT, GREEDY, PAPER, RANDOM, Replay, at_share

PLANNERS = ((RANDOM, False), (PAPER, False), (GREEDY, False), (DEFAULT, False), (DEFAULT, True))
FIGURES = ("mape_mean", "mape_median", "f1", "coverage90")


def section(recordings: Sequence[Studied], replays: Sequence[Replay]) -> str:
    """The table and what it says; recordings without reference changes have no F1."""
    head = ["recording", "planner", "share", "builds", "MAPE", "median", "F1", "coverage of the 90 % band"]
    rows = []
    for recording in recordings:
        for planner, joint in PLANNERS:
            for share in SHARES:
                replay = at_share(replays, recording.name, planner, share, joint)
                mean, median, f1, coverage = (replay.figures[figure] for figure in FIGURES)
                shown = f"{f1:.2f}" if recording.has_reference else "-"
                cells = [f"{mean:.2f}", f"{median:.2f}", shown, f"{coverage:.0%}".replace("%", " %")]
                rows.append([recording.name, replay.name, percent(share), str(replay.builds), *cells])
    return f"{table(head, rows, texts=2)}\n\n{_said(recordings, replays)}"


def _said(recordings: Sequence[Studied], replays: Sequence[Replay]) -> str:
    rivals = [
        (one, [at_share(replays, one.name, planner, share, joint) for planner, joint in PLANNERS])
        for one in recordings
        for share in SHARES
    ]
    with_reference = [some for one, some in rivals if one.has_reference]
    lowest = _wins([some for _, some in rivals], "mape_mean", min)
    highest = _wins(with_reference, "f1", max)
    fewer = [1 - some[-1].builds / some[-2].builds for _, some in rivals]
    return (
        f"Lowest mean MAPE in so many of {len(rivals)} cells: {lowest}. "
        f"Highest F1 in so many of {len(with_reference)}: {highest}. "
        f"One list of revisions for all series takes {min(fewer):.0%} to {max(fewer):.0%} fewer builds."
    )


def _wins(rivals: Sequence[Sequence[Replay]], figure: str, best: Callable[[Sequence[float]], float]) -> str:
    """How often each planner is the best one; of equal ones each."""
    figures = [[one.figures[figure] for one in some] for some in rivals]
    return ", ".join(
        f"{planner}{' --joint' if joint else ''} {sum(some[at] == best(some) for some in figures)}"
        for at, (planner, joint) in enumerate(PLANNERS)
    )
