"""Terms in words."""

from __future__ import annotations

from math import inf, log

import pytest

from sonde.core.findings.pinpoints import Pinpointed, ReplayedPinpoints, TermChange
from sonde.core.options import Configuration, Literal
from sonde.core.results import Metric
from sonde.report.replay.pinpoint import replay_pinpoint_json, replay_pinpoint_text
from sonde.report.terms import effect_text, probability_text, where

ZPAQ, SINGLE, LEVEL = Literal("Zpaq", True), Literal("Multithreading", False), Literal("level", 9)


@pytest.mark.parametrize(
    ("literals", "words"),
    [
        ([], "in every configuration"),
        ([ZPAQ], "where Zpaq is on"),
        ([SINGLE], "where Multithreading is off"),
        ([LEVEL], "where level=9"),
        ([LEVEL, ZPAQ, SINGLE], "where Multithreading is off and Zpaq is on and level=9"),
    ],
)
def test_a_term_says_which_configurations_it_means(literals, words):
    assert where(frozenset(literals)) == words
    assert where(frozenset(reversed(literals))) == words


def test_effects_and_probabilities_read_well():
    assert effect_text(log(0.56)) == "-44.0 %"
    assert effect_text(log(1.05)) == "+5.0 %"
    assert [probability_text(each) for each in (1.0, 0.995, 0.99, 0.5, 0.014, 0.001)] == [
        "over .99",
        "over .99",
        ".99",
        ".50",
        ".01",
        "under .01",
    ]


def replayed(*findings: TermChange, noise: float | None = 0.004, failed: int = 0) -> ReplayedPinpoints:
    found = Pinpointed(
        "pack", Metric.WALL, findings, noise, 300, 12, failed, "nothing more is worth measuring"
    )
    return ReplayedPinpoints("lrzip", "shared-steps", 0.05, tuple(range(500, 600)), found, 420, 1.25)


def change(position, term, effect, low, high, earliest=None, latest=None):
    return TermChange(
        position,
        position if earliest is None else earliest,
        position if latest is None else latest,
        frozenset(term),
        effect,
        low,
        high,
        0.99,
        Configuration(()),
        6,
        (position if earliest is None else earliest) - 1,
        position if latest is None else latest,
    )


FOUND = replayed(
    change(39, [ZPAQ], log(0.56), log(0.55), log(0.57)),
    change(50, [LEVEL, SINGLE], log(1.1), -inf, inf, earliest=48, latest=51),
    change(60, [], log(20), log(19), log(21)),
    failed=3,
)


def test_a_replay_is_told_in_words(golden):
    golden("report/replay-pinpoint.txt", replay_pinpoint_text(FOUND) + "\n")


def test_a_replay_without_findings_says_so():
    assert "Nothing found above the noise: no change of 5 % or more." in replay_pinpoint_text(
        replayed(noise=None)
    )


def test_json_has_the_revisions_own_numbers_and_finite_ones_only():
    answer = replay_pinpoint_json(FOUND)

    assert answer["points"] == 303
    assert isinstance(answer["findings"], list)
    first, second, third = answer["findings"]
    assert (first["revision"], first["options"]) == (539, ["Zpaq"])
    assert (second["earliest"], second["revision"], second["latest"]) == (548, 550, 551)
    assert second["options"] == ["!Multithreading", "level=9"]
    assert (second["low"], second["high"]) == (None, None)
    assert third["options"] == []
