from __future__ import annotations

import json
from dataclasses import replace

from sonde.core.code import NOWHERE, SourceLine
from sonde.core.findings.impacts import (
    Analysis,
    ChangedRoutine,
    HotRoutine,
    Impact,
    Interaction,
    OptionImpact,
    Role,
    Suggestion,
    Via,
    Waypoint,
)
from sonde.core.options import Configuration
from sonde.core.results import Cost
from sonde.core.revisions import Revision
from sonde.report.impact.json import impact_json, impact_sarif
from sonde.report.impact.suggestions import suggestions_json, suggestions_text
from sonde.report.impact.text import impact_text
from tests.golden_files import GoldenFiles
from tests.values import revision_id

DEFAULT = Configuration.of({"strong": False, "verbose": False})
STRONG = Configuration.of({"strong": True, "verbose": False})
HEAD = Revision(revision_id(7), (revision_id(6),), 7, "Ada", "Iterate twice as often")
BASE = Revision(revision_id(6), (revision_id(5),), 6, "Bob", "Mend the README")
PATH = (
    Waypoint(SourceLine("src/main.c", 2), "getiterations", "changed: stored in `iterations`"),
    Waypoint(SourceLine("src/main.c", 4), "getiterations", "returned"),
    Waypoint(SourceLine("src/main.c", 16), "do_stuff", "`iterations` is passed to `compress`"),
    Waypoint(SourceLine("src/main.c", 7), "compress", "decides how often line 8 is executed"),
)
WAY = Interaction(
    SourceLine("src/main.c", 2),
    "getiterations",
    SourceLine("src/main.c", 7),
    "compress",
    Via.EXPLICIT,
    False,
    PATH,
)
DELETED = replace(WAY, via=Via.IMPLICIT, is_deletion=True, path=PATH * 4)
IMPACT = Impact(
    HEAD,
    BASE,
    DEFAULT,
    True,
    "The change can reach hot code.",
    (HotRoutine("compress", 0.712, "pack-text"), HotRoutine("hash", None)),
    (ChangedRoutine("getiterations", SourceLine("src/main.c", 1), 3, 2),),
    (WAY, DELETED),
    (
        OptionImpact(
            "strong",
            Role.RELATED,
            "code that it controls lies on the way",
            SourceLine("src/main.c", 3),
            ("strong",),
        ),
        OptionImpact("verbose", Role.UNRELATED, "it only reads what flows to hot code", None, ("verbose",)),
        OptionImpact("secret", Role.UNKNOWN, "its variable is unknown"),
    ),
    (DEFAULT, STRONG),
    4,
    seconds=(12.0, 24.0),
    analysis=Analysis("inclusion-based, field-sensitive", "", 12345, 4, 3, 0.71),
    caveats=("This result covers code that is hot now.",),
    warnings=("main.s is skipped: it is assembler.",),
    cost=Cost(builds=2, runs=3, seconds=4.2),
)


def test_a_relevant_change_is_told_with_ways_options_and_commands(golden: GoldenFiles) -> None:
    golden("report/impact.txt", impact_text(IMPACT, 100) + "\n")


def test_a_change_that_cannot_matter_is_told_in_few_words(golden: GoldenFiles) -> None:
    nothing = Impact(HEAD, BASE, DEFAULT, False, "The inputs are the same.", (), (), (), (), (), 4)

    golden("report/impact_none.txt", impact_text(nothing, 100) + "\n")
    assert impact_json(nothing)["related_options"] == []


def test_json_has_what_scripts_need(golden: GoldenFiles) -> None:
    golden("report/impact.json", json.dumps(impact_json(IMPACT), indent=2) + "\n")


def test_sarif_has_a_result_for_each_way(golden: GoldenFiles) -> None:
    golden("report/impact.sarif", json.dumps(impact_sarif(IMPACT, "1.2.3"), indent=2) + "\n")


def test_what_cannot_be_placed_has_no_line() -> None:
    lost = replace(IMPACT, interactions=(replace(WAY, change=NOWHERE),))

    assert "?" not in json.dumps(impact_sarif(lost, "1.2.3"))
    found = impact_json(lost)["interactions"]
    assert isinstance(found, list)
    assert found[0]["changed"]["file"] is None


def test_suggestions_are_lines_for_the_project_file(golden: GoldenFiles) -> None:
    found = (
        Suggestion(("-v", "--verbose"), "verbose", ("1",), SourceLine("main.c", 12)),
        Suggestion(("-l",), "opts.level", (), SourceLine("main.c", 15)),
    )

    golden("report/suggestions.txt", suggestions_text(found, 100) + "\n")
    assert suggestions_json(found)["suggestions"]
    assert "by hand" in suggestions_text((), 100)


def test_it_says_why_configurations_are_left_out():
    found = impact_text(replace(IMPACT, combinations=12, not_executed=4), 100)

    assert "of 12 valid combinations of the related options" in " ".join(found.split())
    assert "4 of them do not execute the changed code or the hot code that it reaches" in " ".join(
        found.split()
    )
