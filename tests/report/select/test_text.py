from __future__ import annotations

import json
from dataclasses import replace

from sonde.core.findings.selections import Basis, Churn, Selected, Selection, Touched, TrainedSelection
from sonde.core.options import Configuration
from sonde.core.results import Cost
from sonde.core.revisions import Revision
from sonde.report.select.text import select_json, select_text, why_text
from sonde.report.select.training import training_json, training_text
from tests.values import revision_id

DEFAULT = Configuration.of({"level": 1, "checksum": False})
STRONG = Configuration.of({"level": 9, "checksum": True})
HEAD = Revision(revision_id(7), (revision_id(6),), 7, "Ada", "Search deeper, which nobody had asked for")
BASE = Revision(revision_id(6), (revision_id(5),), 6, "Bob", "Mend\tthe README")
EARLIER = Revision(revision_id(2), (revision_id(1),), 2, "Bob", "Begin anew")
CHURN = Churn(functions=1234, raw=700, normalised=9, masked=3, new=1, deleted=2, objects=1)

PROVEN = Selected(
    "pack",
    DEFAULT,
    False,
    Basis.PROVEN,
    ("no code that it reaches changed",),
    profiled=BASE,
    seconds=1.5,
    runs=2,
)
CHANGED = Selected(
    "pack",
    STRONG,
    True,
    Basis.CHANGED,
    ("compress changed", "hash changed"),
    touched=(Touched("compress", 0.9881, "changed"), Touched("hash", 0.00001, "deleted")),
    indicators={"share": 98.81},
    profiled=EARLIER,
    hops=4,
    seconds=2.5,
    runs=2,
)
CONSTANT = Selected(
    "unpack", DEFAULT, True, Basis.CHANGED, ("depths changed",), constants=("depths", "words"), profiled=BASE
)
PREDICTED = Selected(
    "unpack",
    STRONG,
    False,
    Basis.PREDICTED,
    ("its string constants changed in usage",),
    verdict="functions with 0 % of its cost changed, 0.4 % are the limit",
    touched=(Touched("usage", 0.00001, "its string constants changed"),),
    profiled=BASE,
)
DUE = Selected("test", DEFAULT, True, Basis.DUE, ("it was last measured 51 revisions ago",))


def selection(*selected: Selected) -> Selection:
    return Selection(
        HEAD,
        BASE,
        DEFAULT,
        selected or (PROVEN, CHANGED, CONSTANT, PREDICTED, DUE),
        "Run if at least 0.4 % of the cost of a benchmark is in functions that changed.",
        CHURN,
        ("A proof is about code.",),
        ("the rule is old.",),
        Cost(runs=2, builds=1, seconds=75.0),
    )


def test_every_decision_is_explained(golden):
    golden("report/select.txt", select_text(selection(), 100) + "\n")


def test_a_narrow_terminal_wraps_the_reasons(golden):
    golden("report/select-narrow.txt", select_text(selection(), 60) + "\n")


def test_where_all_is_proven_there_is_nothing_to_measure():
    text = " ".join(select_text(replace(selection(PROVEN), churn=None, cost=Cost()), 100).split())

    assert "Run 0 of 1: 2 of 2 runs are saved (2 by proof), about 3.0 s of 3.0 s (100 %)." in text
    assert "The analysis needed no build or run." in text
    assert "no difference in code." in text
    assert "Run if" not in text
    assert "sonde measure" not in text


def test_names_are_short_where_only_the_default_configuration_was_asked_for():
    assert "pack, default" not in select_text(selection(PROVEN), 100)


def test_json_holds_the_evidence(golden):
    golden("report/select.json", json.dumps(select_json(selection()), indent=2) + "\n")


def test_a_proof_that_was_carried_over_says_since_when():
    assert why_text(replace(PROVEN, profiled=EARLIER, hops=4)).endswith(
        f"changed since {EARLIER.short}: proven"
    )


def test_training_tells_what_it_rests_on(golden):
    trained = TrainedSelection(
        560, 112, 15, 2, 440, 33, 0, 0.001, "Run if it changed.", ("too few.",), Cost(7, 3, 12.0)
    )

    golden("report/select-training.txt", training_text(trained, 90) + "\n")
    assert training_json(trained)["hits"] == 33
    assert "should not happen" in training_text(replace(trained, proven_hits=1, threshold=None), 90)
