"""Scenarios keep their programs once, and what a change replaces."""

import pytest

from tests.changes import with_changes
from tests.programs import scenarios
from tests.programs.scenarios import read_scenario

FILES = {"main.c": "one\ntwo\ntwo\n"}


def change(old, new, file="main.c"):
    return {"file": file, "old": old, "new": new}


def test_changes_are_made_in_their_order():
    changed = with_changes(FILES, [change("one\n", "1\n"), change("1\ntwo\n", "2\n")])

    assert changed == {"main.c": "2\ntwo\n"}
    assert FILES == {"main.c": "one\ntwo\ntwo\n"}


def test_a_change_of_nothing_adds_a_file():
    assert with_changes(FILES, [change("", "more", "more.c")]) == {**FILES, "more.c": "more"}


@pytest.mark.parametrize("old", ["three", "two"])
def test_what_is_replaced_must_be_there_once(old):
    with pytest.raises(AssertionError, match=r"main\.c must have once what changes"):
        with_changes(FILES, [change(old, "")])


def test_a_scenario_is_written_before_and_after_its_change(tmp_path):
    scenario = read_scenario("moved_routine")

    scenario.write(tmp_path)

    written = {side: {file.name for file in (tmp_path / side).iterdir()} for side in ("old", "new")}
    assert written == {"old": {"main.c"}, "new": {"main.c", "rounds.c"}}
    assert (tmp_path / "new" / "rounds.c").read_text() == scenario.new["rounds.c"]


def test_no_scenario_is_left_out():
    assert not list(scenarios.PROGRAMS.glob("*/truth.toml")), "a scenario is a file of its own"
