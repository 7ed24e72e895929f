"""Answers beside the truth: precision and recall of both questions, and how much is left to measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from studies.impact.tables import table


@dataclass(frozen=True)
class Judged:
    """One change: what is true, and what was said."""

    scenario: str
    is_regression: bool  # in any configuration
    is_relevant: bool  # the answer to question 1
    is_seen: bool  # a configuration that regresses is among those to measure
    related: tuple[str, ...]
    options: int
    chosen: int  # configurations to measure; 0 if it is not relevant
    configurations: int

    @property
    def share(self) -> float:
        """Of the configurations, those to measure."""
        return self.chosen / self.configurations


def table_of_rates(groups: Iterable[tuple[str, Sequence[Judged], str]]) -> str:
    """Tables 2, 4 and 5: each group, and what the paper has printed for it."""
    heads = ["project", "scenarios", "P", "PP", "TP", "precision", "recall", "RQ2: P", "PP", "recall"]
    return table(
        [*heads, "paper: P, PP, TP; RQ2 recall"],
        [(name, *_rates(judged), printed) for name, judged, printed in groups],
    )


def _rates(judged: Sequence[Judged]) -> tuple[int | str, ...]:
    positives = [each for each in judged if each.is_regression]
    told = [each for each in judged if each.is_relevant]
    both = [each for each in told if each.is_regression]
    seen = [each for each in both if each.is_seen]
    first = len(judged), len(positives), len(told), len(both)
    second = len(both), len(seen), _share(len(seen), len(both))
    return *first, _share(len(both), len(told)), _share(len(both), len(positives)), *second


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def table_of_sizes(groups: Iterable[tuple[str, Sequence[Judged]]]) -> str:
    """Figures 6 and 8 as a table: how many options are related, and how many configurations are left."""
    rows: list[tuple[str, ...]] = []
    shares = []
    for name, judged in groups:
        for each in judged:
            if each.is_relevant:
                shares.append(each.share)
                options = f"{len(each.related)} / {each.options}"
                chosen = f"{each.chosen} / {each.configurations} = {each.share:.2f}"
                rows.append((name, each.scenario, ", ".join(each.related) or "none", options, chosen))
    if shares:
        rows.append((f"mean of {len(shares)}", "", "", "", f"**{mean(shares):.2f}**"))
    return table(("project", "scenario", "related options", "F^ / F", "C^ / C"), rows)
