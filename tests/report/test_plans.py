from __future__ import annotations

import json
from dataclasses import replace

from sonde.core.findings.pinpoints import Ground
from sonde.core.findings.plans import CheckPlan, Effort, HistoryPlan, Pace, PinpointPlan, Sufficiency
from sonde.core.revisions import Revision
from sonde.report.plans import (
    check_plan_json,
    check_plan_text,
    effort_text,
    history_plan_json,
    history_plan_text,
    pinpoint_plan_json,
    pinpoint_plan_text,
    short_text,
)
from tests.values import revision_id

KNOWN, UNKNOWN = Pace(6.0, 0.5), Pace()

HISTORY = HistoryPlan(
    series=3,
    revisions=220,
    points=660,
    known=12,
    asked=87,
    effort=Effort(40, 174, KNOWN),
    budget="15.0% of the revisions",
    narrowing=4,
    sufficiency=None,
)
PINPOINT = PinpointPlan(
    {"pack": Ground(240, 120, 16, 3840), "unpack": Ground(240, 90, 16, 3840, is_counted=False)},
    usual=182,
    is_whole=True,
    effort=Effort(30, 240, KNOWN),
    budget="420 s",
    sufficiency=Sufficiency(182, 254, "420s"),
)
CHECK = CheckPlan(
    Revision(revision_id(1), (), 0, "A. Author", "Begin"),
    Revision(revision_id(2), (revision_id(1),), 1, "A. Author", "Go on"),
    cases=192,
    near=21,
    measured=41,
    effort=Effort(1, 185, KNOWN),
    pairs=6,
    least_pairs=9,
)


def test_plans_in_words(golden):
    short = replace(PINPOINT, sufficiency=Sufficiency(182, 7, "9m"), is_whole=False)
    texts = [
        history_plan_text(HISTORY),
        history_plan_text(replace(HISTORY, asked=0, effort=Effort(0, 0, KNOWN), narrowing=None)),
        history_plan_text(replace(HISTORY, budget="8 runs", asked=4, sufficiency=Sufficiency(12, 4, "24"))),
        pinpoint_plan_text(PINPOINT),
        pinpoint_plan_text(short),
        pinpoint_plan_text(replace(PINPOINT, effort=Effort(30, 240, UNKNOWN), sufficiency=None)),
        check_plan_text(CHECK),
        check_plan_text(replace(CHECK, least_pairs=0)),
    ]

    golden("report/plans.txt", "\n\n".join(texts) + "\n")


def test_plans_for_scripts(golden):
    plans = [history_plan_json(HISTORY), pinpoint_plan_json(PINPOINT), check_plan_json(CHECK)]

    golden("report/plans.json", json.dumps(plans, indent=2) + "\n")


def test_what_nobody_knows_is_called_unknown():
    assert effort_text(Effort(2, 4)) == "How long that takes is unknown until the first build."
    assert effort_text(Effort(2, 4, Pace(1.0))) == "How long that takes is unknown until the first run."
    assert effort_text(Effort(0, 4)) == "How long that takes is unknown until the first run."


def test_a_budget_that_is_too_small_is_answered_by_one_that_is_not():
    short = replace(PINPOINT, sufficiency=Sufficiency(182, 7, "9m"))

    assert short_text(short) == (
        "the budget of 420 s allows for about 7 points; a search of this size usually needs about 182 "
        "(120 distinct revisions, 16 configurations; 90 distinct revisions, 16 configurations). "
        "It will probably end without an answer: give --budget 9m or more."
    )
