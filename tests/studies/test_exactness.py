"""What a study takes from answers, and what it says of sizes that were measured again."""

import pytest

from studies.exactness.remeasuring import Remeasured
from studies.exactness.reported import reported_in
from studies.exactness.section import section

CHANGE = {
    "between": ["a" * 40, "b" * 40],
    "is_exact": True,
    "percent": 4.0,
    "percent_low": 3.98,
    "percent_high": 4.02,
}
SERIES = {"benchmark": "pack", "metric": "instructions", "configuration": {"fast": True, "level": 1}}
FOUND = {"benchmark": "pack", "metric": "instructions"}


def test_changes_of_both_commands_are_taken():
    history = {"series": [{**SERIES, "changes": [CHANGE]}]}
    pinpoint = {"benchmarks": [{**FOUND, "findings": [{**CHANGE, "shown_in": {"fast": False}}]}]}

    (one,), (other,) = (list(reported_in(answer)) for answer in (history, pinpoint))

    assert (one.command, one.before[0], one.after[0], one.percent) == ("history", "a", "b", 4.0)
    assert str(one.configuration) == "fast,level=1"
    assert (other.command, str(other.configuration)) == ("pinpoint", "!fast")


def test_times_are_refused():
    with pytest.raises(ValueError, match="pack is measured by cpu"):
        list(reported_in({"series": [{**SERIES, "metric": "cpu", "changes": [CHANGE]}]}))


def test_a_size_holds_within_a_tenth_of_a_point_of_both():
    (one,) = reported_in({"series": [{**SERIES, "changes": [CHANGE]}]})

    text = section("packer", 9, [(one, Remeasured(4.01, 4.05, 0.0)), (one, Remeasured(4.0, 3.85, 0.0))])

    assert "9 revisions, 2 changes. 1 of 2 sizes lie within 0.1 points of both; 2 intervals hold" in text
    assert (
        "| history | bbbbbbbb | pack | fast,level=1 | +4.00 [+3.98, +4.02] | +4.01 | +4.05 | 0.05 |" in text
    )
