"""Influences and predictions as tables and as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.pinpoints import (
    NO_INFLUENCES,
    Influence,
    Influences,
    Pinpointed,
    Prediction,
    PredictionRequest,
    ReplayedPinpoints,
)
from sonde.core.options import Literal
from sonde.core.results import Metric
from sonde.report.pinpoint.json import pinpoint_json
from sonde.report.pinpoint.text import pinpoint_text
from sonde.report.replay.pinpoint import replay_pinpoint_json, replay_pinpoint_text
from sonde.report.tables import width as width_of
from tests.report.made_histories import STRONG
from tests.report.pinpoint.test_text import CHECKED, HISTORY, PACK, pinpoints

CHECKSUM, STRONGEST, FILTER = Literal("checksum", True), Literal("level", 9), Literal("filter", True)

CORE = Influence(frozenset(), ((0, 1.25), (3, 1.5)))
INFLUENCES = Influences(
    (
        CORE,
        Influence(frozenset([CHECKSUM]), ((0, 0.12), (61, 0.067), (90, 0.0674))),
        Influence(frozenset([FILTER]), ((40, 0.03),), gone_at=120),
        Influence(frozenset([STRONGEST]), ((0, 0.8),)),
        Influence(frozenset([Literal("threads", 4)]), ((0, -0.0004),)),
        Influence(frozenset([Literal("checksum", False), STRONGEST]), ((0, 0.0), (90, 0.6))),
        Influence(frozenset([CHECKSUM, FILTER]), ((0, 0.002),)),
    ),
    0.0234,
    212,
    1.4,
)
PREDICTED = replace(
    INFLUENCES,
    predictions=(
        Prediction(PredictionRequest("checksum,level=9", CHECKED, 149), 2.367),
        Prediction(PredictionRequest("level=9", STRONG, 149), 2.3),
    ),
)
ALONE = Influences((CORE,), None, 1, 1.25)


def with_influences(influences: Influences | None, found: Pinpointed = PACK):
    return pinpoints(replace(found, influences=influences))


def replayed(influences: Influences | None) -> ReplayedPinpoints:
    found = Pinpointed("pack", Metric.WALL, (), None, 212, 12, 0, "all is known", influences)
    return ReplayedPinpoints("lrzip", "paper", 0.05, tuple(range(500, 650)), found, 420, 1.25)


@pytest.mark.parametrize(
    ("name", "influences"), [("influences", PREDICTED), ("influences-of-one-configuration", ALONE)]
)
def test_influences_read_as_they_should(golden, name, influences):
    golden(f"report/{name}.txt", pinpoint_text(with_influences(influences), 100) + "\n")


def test_influences_of_a_replay_read_as_they_should(golden):
    golden("report/replay-influences.txt", replay_pinpoint_text(replayed(PREDICTED)) + "\n")


def test_json_holds_all_terms(golden):
    answer: Any = pinpoint_json(with_influences(PREDICTED))
    (pack,) = answer["benchmarks"]
    asked = {key: pack[key] for key in ("influences", "relative_error", "fitted_points", "predictions")}

    golden("report/influences.json", json.dumps(asked, indent=1, allow_nan=False) + "\n")


def test_json_of_a_replay_has_the_revisions_own_numbers():
    answer = json.loads(json.dumps(replay_pinpoint_json(replayed(PREDICTED)), allow_nan=False))

    assert answer["influences"][1]["options"] == ["checksum"]
    assert answer["influences"][1]["over_time"][1] == {"from_revision": 561, "value": 0.067}
    assert answer["relative_error"] == 0.0234
    assert [one["revision"] for one in answer["predictions"]] == [649, 649]


def test_what_nobody_asked_for_is_not_told():
    assert "nfluence" not in pinpoint_text(with_influences(None), 100)
    assert "influences" not in replay_pinpoint_json(replayed(None))
    assert "influences" not in pinpoint_json(with_influences(None))["benchmarks"][0]  # type: ignore[index]


def test_without_any_value_there_is_nothing_to_tell():
    assert "no influences to report, because nothing was measured" in pinpoint_text(
        with_influences(NO_INFLUENCES), 100
    )
    answer = replay_pinpoint_json(replayed(NO_INFLUENCES))
    assert (answer["influences"], answer["relative_error"], answer["predictions"]) == ([], None, [])


def test_what_is_small_is_counted_and_what_changed_much_is_shown():
    swings = Influence(frozenset([Literal("swings", True)]), ((0, -0.009), (61, 0.009)))

    text = pinpoint_text(with_influences(replace(INFLUENCES, terms=(*INFLUENCES.terms, swings))), 100)

    assert "swings is on" in text
    assert "threads" not in text
    assert "2 terms with an influence below 1 % of the typical value, 1.4 s, are left out." in text


def test_the_largest_influences_come_first():
    text = pinpoint_text(with_influences(INFLUENCES), 100)
    places = [text.index(f"\n{name} ") for name in ("core", "level=9", "checksum is on", "filter is on")]

    assert places == sorted(places)


def test_a_change_with_exceptions_is_told_with_them():
    everywhere = Influence(frozenset(), ((0, 0.0), (61, 0.5)), unless=frozenset([STRONGEST]))
    checked = replace(everywhere, term=frozenset([CHECKSUM]))
    found = with_influences(replace(INFLUENCES, terms=(CORE, everywhere, checked)))

    text = pinpoint_text(found, 100)
    answer: Any = pinpoint_json(found)

    assert re.search(r"^core +1\.25 s", text, re.MULTILINE)
    assert re.search(r"^all, except with level=9 +0 s +\+500 ms", text, re.MULTILINE)
    assert re.search(r"^checksum is on, except with level=9 +0 s +\+500 ms", text, re.MULTILINE)
    assert [one["unless"] for one in answer["benchmarks"][0]["influences"]] == [[], ["level=9"], ["level=9"]]


def test_a_long_term_is_cut_and_a_change_is_not():
    names = [f"an-option-with-a-very-long-name-{number}" for number in range(4)]
    long = Influence(frozenset(Literal(name, True) for name in names), ((0, 0.5), (61, 0.75)))

    text = pinpoint_text(with_influences(replace(INFLUENCES, terms=(CORE, long))), 100)

    assert "…" in text
    assert f"{HISTORY[61].short}: +500 ms → +750 ms" in text
    assert max(width_of(line) for line in text.splitlines() if "$ " not in line) <= 100


@given(st.integers(40, 200), st.booleans())
def test_lines_fit_whatever_the_width(width, unicode):
    for line in pinpoint_text(with_influences(PREDICTED), width, unicode).splitlines():
        assert width_of(line) <= width or line.lstrip().startswith("$ ")
        assert unicode or line.isascii()
