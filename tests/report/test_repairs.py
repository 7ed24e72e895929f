"""What was rescued of a damaged store, as text and as JSON."""

import json

from sonde.core.findings.repairs import Repaired, Rescued
from sonde.report.repairs import repaired_json, repaired_text

REPAIRED = Repaired(
    (
        Rescued("measurements", kept=1_204, refused=0, is_whole=True),
        Rescued("samples", kept=11_873, refused=2, is_whole=False),
        Rescued("builds", kept=0, refused=0, is_whole=False),
        Rescued("audits", kept=0, refused=0, is_whole=True),
    ),
    "store.sqlite.damaged",
)


def test_each_table_that_had_something_is_told(golden):
    golden("report/repairs.txt", repaired_text(REPAIRED) + "\n")


def test_a_script_gets_every_table(golden):
    golden("report/repairs.json", json.dumps(repaired_json(REPAIRED), indent=2) + "\n")


def test_a_sound_store_is_left_alone():
    assert repaired_json(None) == {"is_whole": True, "damaged": None, "tables": []}
    assert "nothing was changed" in repaired_text(None)
