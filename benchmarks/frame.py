"""What all benchmarks share: rows, timing, and the table."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True)
class Row:
    """A figure of ours, beside its target and that of a peer; less is better."""

    what: str
    figure: float
    unit: str
    target: float | None = None  # in the same unit; None: there is none
    peer: str = ""
    peer_figure: float | None = None  # in the same unit; None: there is none
    why_missing: str = "not installed"  # if there is no figure of the peer

    @property
    def ratio(self) -> float | None:
        """Our figure as a share of the peer's, or None without one."""
        return self.figure / self.peer_figure if self.peer_figure else None


def tell(what: str) -> None:
    """Say what is going on, apart from the tables."""
    print(f"bench: {what}", file=sys.stderr, flush=True)


def seconds_of(act: Callable[[], object]) -> float:
    """How long `act` takes, once."""
    begin = time.perf_counter()
    act()
    return time.perf_counter() - begin


def in_turn(acts: Mapping[str, Callable[[], object]], rounds: int) -> Mapping[str, float]:
    """The median time of each act in seconds; they take turns, so that load hits all alike."""
    return medians_in_turn({name: partial(seconds_of, act) for name, act in acts.items()}, rounds)


def medians_in_turn(measures: Mapping[str, Callable[[], float]], rounds: int) -> Mapping[str, float]:
    """The median of what each measure gives; they take turns."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: statistics.median(figures) for name, figures in found.items()}


def table(rows: Iterable[Row]) -> str:
    """The rows as a table in markdown."""
    lines = [
        "| what | figure | target | peer | its figure | ratio |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        target = f"< {row.target:g} {row.unit}" if row.target is not None else ""
        if row.target is not None and row.figure >= row.target:
            target += " **missed**"
        theirs = f"{_rounded(row.peer_figure, 3)} {row.unit}" if row.peer_figure is not None else ""
        if row.peer and row.peer_figure is None:
            theirs = row.why_missing
        ratio = _rounded(row.ratio, 2) if row.ratio is not None else ""
        cells = (row.what, f"{_rounded(row.figure, 3)} {row.unit}", target, row.peer, theirs, ratio)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _rounded(figure: float, digits: int) -> str:
    """So many digits at the least, and never an exponent: 0.0043, 17, 1,234."""
    return f"{figure:,.0f}" if abs(figure) >= 10**digits else f"{figure:.{digits}g}"
