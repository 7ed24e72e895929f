from __future__ import annotations

import json
import shlex
from dataclasses import replace
from math import inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.pinpoints import Ground, Pinpointed, Pinpoints, Stop, TermChange
from sonde.core.options import Configuration, Literal
from sonde.core.points import Point
from sonde.core.results import FREE, Cost, Failed, Metric, Result, Stage
from sonde.core.revisions import History
from sonde.report.pinpoint.commands import measure_command
from sonde.report.pinpoint.json import pinpoint_json
from sonde.report.pinpoint.text import nothing_measured_text, pinpoint_text
from sonde.report.tables import width as width_of
from tests.report.made_histories import DEFAULT, STRONG, history_of

CHECKED = Configuration.of({"level": 9, "checksum": True})
HISTORY = history_of(150)

EXACT = TermChange(
    position=61,
    earliest=61,
    latest=61,
    term=frozenset([Literal("checksum", True)]),
    effect=log(0.56),
    effect_low=log(0.55),
    effect_high=log(0.57),
    probability=0.991,
    shown_in=CHECKED,
    configurations=6,
    before=60,
    after=61,
)
RANGE = replace(
    EXACT,
    position=90,
    earliest=88,
    latest=91,
    term=frozenset([Literal("level", 9), Literal("checksum", False)]),
    effect=log(1.3),
    effect_low=log(1.25),
    effect_high=log(1.36),
    probability=0.87,
    shown_in=STRONG,
    configurations=1,
    before=87,
    after=91,
)
CORE = replace(
    EXACT,
    position=3,
    earliest=1,
    latest=5,
    term=frozenset(),
    effect=log(12),
    effect_low=log(11.5),
    effect_high=log(12.5),
    shown_in=DEFAULT,
    before=0,
    after=5,
)

PACK = Pinpointed("pack", Metric.CPU, (EXACT, RANGE), 0.012, 212, 14, 3, "nothing more is worth measuring")
GROUND = Ground(revisions=150, steps=97, configurations=84, points=12_600)


def failed(position: int, stage: Stage, output: str = "") -> Result:
    point = Point(HISTORY[position].id, DEFAULT, "pack")
    return Result(point, Failed(stage, "It ended with exit code 2.", output), FREE)


def pinpoints(*benchmarks: Pinpointed, **changes: object) -> Pinpoints:
    found = Pinpoints(
        HISTORY,
        DEFAULT,
        benchmarks,
        {one.benchmark: GROUND for one in benchmarks},
        "shared-steps",
        0.05,
        (),
        {("pack", CHECKED): 8, ("pack", STRONG): 2},
        Cost(builds=31, runs=420, seconds=95.0),
    )
    return replace(found, **changes)  # type: ignore[arg-type]


FAILURES = (failed(20, Stage.BUILD), failed(21, Stage.BUILD), failed(99, Stage.RUN))
BESIDE = replace(PACK, references=(HISTORY[148].id, HISTORY[149].id))
FOUND = pinpoints(BESIDE, failures=FAILURES)
NOTHING = pinpoints(replace(PACK, findings=(), failed=0))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("pinpoint", FOUND),
        ("pinpoint-nothing", NOTHING),
        (
            "pinpoint-several",
            pinpoints(
                replace(PACK, findings=(CORE,), metric=Metric.INSTRUCTIONS, noise=None, failed=0),
                replace(
                    PACK,
                    benchmark="unpack",
                    findings=(),
                    points=0,
                    configurations=0,
                    failed=3,
                    ending="everything failed",
                    noise=None,
                ),
            ),
        ),
    ],
)
def test_findings_read_as_they_should(golden, name, found):
    golden(f"report/{name}.txt", pinpoint_text(found, 100) + "\n")


def test_json_holds_the_same(golden):
    data = pinpoint_json(FOUND, ["--no-sandbox"])
    data["revisions"] = len(HISTORY)

    golden("report/pinpoint.json", json.dumps(data, indent=1, allow_nan=False) + "\n")


def test_the_command_shows_the_revision_before_too():
    words = shlex.split(measure_command(EXACT, PACK, FOUND, ["--state", "a b"]))

    assert words[:2] == ["sonde", "measure"]
    assert words[2] == f"{HISTORY[59].short}..{HISTORY[61].short}"
    assert words[3:] == ["-b", "pack", "-c", "checksum,level=9", "--runs", "13", "--state", "a b"]


def test_at_the_beginning_of_a_range_the_command_reaches_before_it():
    history = History(tuple(replace(one, parents=(HISTORY[0].id,)) for one in HISTORY))

    whole, part = (measure_command(CORE, PACK, replace(FOUND, history=h)) for h in (HISTORY, history))

    assert shlex.split(whole)[2] == HISTORY[5].short  # the first revision has no parent
    assert shlex.split(part)[2] == f"{HISTORY[0].short}~..{HISTORY[5].short}"


def test_what_cannot_have_changed_or_could_not_be_measured_is_not_called_unchanged():
    def text(found: Pinpointed, ground: Ground = GROUND) -> str:
        return pinpoint_text(pinpoints(found, grounds={"pack": ground}), 200)

    nothing = replace(PACK, findings=())
    assert "Nothing found above the noise: no change of 5 % or more." in text(nothing)
    assert "no change of 15 % or more; smaller ones are hidden by the noise of 5 %." in text(
        replace(nothing, noise=0.05)
    )
    assert "no change of 5 % or more." in text(replace(nothing, noise=None))
    spent = text(replace(nothing, stop=Stop.BUDGET))
    assert "Nothing found so far: the budget was spent before the search ended." in spent
    assert "no change" not in spent
    assert "Nothing found so far: the search waits for" in text(replace(nothing, stop=Stop.STUCK))
    assert "Too few points were measured" in text(replace(nothing, points=1))
    assert "Nothing could be measured: 3 points failed." in text(replace(nothing, points=0))
    assert "No revision can have changed it." in text(nothing, replace(GROUND, steps=1))


def test_an_interval_that_is_open_is_told_and_stays_out_of_json():
    found = pinpoints(replace(PACK, findings=(replace(EXACT, effect_low=-inf, effect_high=inf),)))

    assert "its 90 % interval is open" in " ".join(pinpoint_text(found, 100).split())
    (finding,) = pinpoint_json(found)["benchmarks"][0]["findings"]  # type: ignore[index]
    assert finding["effect_low"] is None
    assert finding["percent_high"] is None


def test_where_everything_failed_the_end_of_the_log_is_shown():
    output = "\n".join(f"line {number}" for number in range(30))
    found = pinpoints(replace(PACK, findings=(), points=0), failures=(failed(20, Stage.BUILD, output),))

    text = nothing_measured_text(found)

    assert not found.has_answer
    assert f"At {HISTORY[20].short}: It ended with exit code 2." in text
    assert "line 29" in text
    assert "line 3\n" not in text


def test_where_no_value_is_positive_there_is_no_answer_and_the_reason_is_told():
    zero = Failed(Stage.RUN, "The value is not positive: it is 0, so it cannot be compared.")
    unusable = (replace(failed(20, Stage.RUN), outcome=zero),)
    nothing = pinpoints(replace(PACK, findings=(), points=0, failed=1), unusable=unusable)
    some = pinpoints(replace(PACK, failed=1), unusable=unusable)

    assert not nothing.has_answer
    assert some.has_answer
    assert nothing_measured_text(nothing) == (
        f"no point has a usable value, although 1 point could be measured. At {HISTORY[20].short}: "
        f"{zero.reason}"
    )
    assert f"1 point has no usable value and counts as failed. At {HISTORY[20].short}: {zero.reason}" in (
        pinpoint_text(some, 1000)
    )
    assert pinpoint_json(some)["failures"][0]["reason"] == zero.reason  # type: ignore[index]


def test_a_threshold_is_told_as_it_was_chosen():
    assert "no change of 12.5 % or more" in pinpoint_text(replace(NOTHING, threshold=0.125), 100)


@given(st.integers(40, 200), st.booleans())
def test_lines_fit_except_commands(width, unicode):
    for line in pinpoint_text(FOUND, width, unicode).splitlines():
        assert width_of(line) <= width or line.lstrip().startswith("$ ")
        assert unicode or line.isascii()
