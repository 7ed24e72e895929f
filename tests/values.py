"""Hypothesis strategies and short spellings for the values of core."""

from __future__ import annotations

from hypothesis import strategies as st

from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.results import Cost, Failed, Gauges, Measurement, Metric, Result, Sample, Stage
from sonde.core.revisions import RevisionId

BENCHMARK = "pack"


def revision_id(position: int) -> RevisionId:
    return RevisionId(f"{position:040x}")


def point(position: int, benchmark: str = BENCHMARK, **chosen: bool | int | str) -> Point:
    return Point(revision_id(position), Configuration.of(chosen), benchmark)


def sample(number: int, value: float = 1.0, metric: Metric = Metric.CPU) -> Sample:
    return Sample(number, ((metric, value),), taken_at=float(number))


def measured(where: Point, runs: int, value: float = 1.0, cost: Cost | None = None) -> Result:
    samples = tuple(sample(number, value) for number in range(runs))
    return Result(where, Measurement(samples), cost if cost is not None else Cost(runs=runs))


def failed(where: Point) -> Result:
    return Result(where, Failed(Stage.BUILD, "make exited with code 2"), Cost(builds=1))


option_values = st.one_of(st.booleans(), st.integers(-5, 5), st.sampled_from(["lz", "rle", "é ü"]))

configurations = st.dictionaries(
    st.sampled_from(["level", "checksum", "a-b.c"]), option_values, max_size=3
).map(Configuration.of)

metrics = st.dictionaries(
    st.sampled_from(list(Metric)), st.floats(0, 1e15, allow_nan=False).map(float), max_size=5
).map(lambda chosen: tuple((metric, chosen[metric]) for metric in Metric if metric in chosen))


@st.composite
def samples(draw, number=None):
    return Sample(
        draw(st.integers(0, 50)) if number is None else number,
        draw(metrics),
        draw(st.floats(0, 2e9)),
        Gauges(draw(st.integers(0, 10**6)), draw(st.floats(0, 1))),
        draw(st.sampled_from(["", "09af", "fa90"])),
    )
