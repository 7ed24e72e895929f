"""The changes that an answer reports, each with the two revisions whose difference it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sonde.core.options import Configuration


@dataclass(frozen=True)
class Reported:
    """A change, in percent of the value before."""

    command: str
    benchmark: str
    configuration: Configuration
    before: str
    after: str
    is_exact: bool  # it is one revision
    percent: float
    low: float
    high: float


def reported_in(answer: Mapping[str, Any]) -> Iterator[Reported]:
    """What the JSON of `sonde history` or `sonde pinpoint` reports of instructions."""
    if "series" in answer:
        for series in answer["series"]:
            for change in series["changes"]:
                yield _one("history", series, change, series["configuration"])
    for found in answer.get("benchmarks", ()):
        for change in found["findings"]:
            yield _one("pinpoint", found, change, change["shown_in"])


def _one(
    command: str, of: Mapping[str, Any], change: Mapping[str, Any], chosen: Mapping[str, Any]
) -> Reported:
    if of["metric"] != "instructions":
        raise ValueError(f"{of['benchmark']} is measured by {of['metric']}; only instructions are exact")
    before, after = change["between"]
    return Reported(
        command,
        of["benchmark"],
        Configuration.of(dict(chosen)),
        before,
        after,
        change["is_exact"],
        change["percent"],
        change["percent_low"],
        change["percent_high"],
    )
