"""Histories with steps, for the reports that show them."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha1

from hypothesis import strategies as st

from sonde.core.findings.histories import ChangePoint, Estimate, Histories, Known, SeriesHistory
from sonde.core.options import Configuration
from sonde.core.results import Cost, Metric
from sonde.core.revisions import History, Revision, RevisionId

DEFAULT = Configuration.of({"level": 1, "checksum": False})
STRONG = Configuration.of({"level": 9, "checksum": False})
SUBJECTS = (
    "Begin",
    "Hash strings with a table instead of a loop, which is shorter",
    "日本語の説明",
    "Café: tidy up",
)
AUTHORS = ("Ada Lovelace", "Grace Hopper", "José")


def history_of(revisions: int) -> History:
    return History(
        tuple(
            Revision(
                RevisionId(sha1(str(position).encode()).hexdigest()),
                (),
                1_700_000_000 + 86_400 * position,
                AUTHORS[position % len(AUTHORS)],
                SUBJECTS[position % len(SUBJECTS)],
            )
            for position in range(revisions)
        )
    )


@dataclass(frozen=True)
class Step:
    """From `position` on there is another level; the change can lie `doubt` revisions off."""

    position: int
    level: float
    doubt: int = 0


def stepped(
    revisions: int,
    level: float,
    steps: Sequence[Step] = (),
    *,
    measured_every: int = 7,
    band: float = 0.004,
    absent: Collection[int] = (),
    failed: Collection[int] = (),
    benchmark: str = "pack",
    configuration: Configuration = DEFAULT,
    metric: Metric = Metric.CPU,
) -> SeriesHistory:
    """A series of levels, whose band widens with the distance from measured revisions."""
    levels = [level, *(step.level for step in steps)]
    estimates: list[Estimate | None] = []
    for position in range(revisions):
        value = levels[sum(step.position <= position for step in steps)]
        away = min(position % measured_every, -position % measured_every)
        is_measured = away == 0 and position not in failed
        half = band * value * math.sqrt(away + 0.2)
        is_proven = away == 1 and position not in failed
        known = Known.MEASURED if is_measured else Known.PROVEN if is_proven else Known.ESTIMATED
        estimates.append(None if position in absent else Estimate(value, value - half, value + half, known))
    changes = [
        ChangePoint(
            step.position,
            max(step.position - step.doubt, 1),
            min(step.position + step.doubt, revisions - 1),
            before,
            step.level,
            math.log(step.level / before),
            math.log(step.level / before) - 0.01,
            math.log(step.level / before) + 0.01,
        )
        for before, step in zip(levels, steps, strict=False)
    ]
    known_as = [estimate.known for estimate in estimates if estimate is not None]
    return SeriesHistory(
        configuration,
        benchmark,
        metric,
        tuple(estimates),
        tuple(changes),
        known_as.count(Known.MEASURED),
        known_as.count(Known.PROVEN),
        tuple(sorted(failed)),
    )


def histories_of(*series: SeriesHistory) -> Histories:
    ending, spent = "the budget of 120 runs is spent", Cost(runs=120, builds=44, seconds=1834.0)
    return Histories(history_of(len(series[0].estimates)), series, DEFAULT, "uncertainty", ending, spent)


@st.composite
def some_series(draw: st.DrawFn, revisions: int | None = None) -> SeriesHistory:
    """Any series: short or long, flat or with jumps of orders of magnitude, with gaps and failures."""
    number = revisions or draw(st.integers(1, 120))
    places = draw(st.lists(st.integers(1, number - 1), unique=True, max_size=12)) if number > 1 else []
    exponents = st.floats(-9, 9) if draw(st.booleans()) else st.floats(0, 0.1)
    steps = [Step(place, 10.0 ** draw(exponents), draw(st.integers(0, 5))) for place in sorted(places)]
    positions = st.sets(st.integers(0, number - 1), max_size=5)
    return stepped(
        number,
        draw(st.sampled_from([1.0, 33.9e6, 2e-7])),
        steps,
        measured_every=draw(st.integers(1, 50)),
        band=draw(st.sampled_from([0.0, 0.004, 0.3])),
        absent=draw(positions) if draw(st.booleans()) else range(draw(st.integers(0, number))),
        failed=draw(positions),
        benchmark=draw(st.sampled_from(["pack", "a.very.long.name.of.a.benchmark#17" * 3, "梱包"])),
        configuration=draw(st.sampled_from([DEFAULT, STRONG])),
        metric=draw(st.sampled_from(list(Metric))),
    )
