from __future__ import annotations

import os

import pytest

from sonde.core.errors import AnotherSonde, StoreNotWritable
from sonde.effects.state_folder import StateFolder


def test_only_one_can_claim_it_and_the_other_learns_who_has_it(tmp_path):
    state = StateFolder(tmp_path / ".sonde")

    with (
        state.claim(),
        pytest.raises(AnotherSonde, match=rf"another Sonde \(process {os.getpid()}.*since .*Wait until"),
        state.claim(),
    ):
        pass


@pytest.mark.parametrize("text", ["", "{", '{"x": 1}', "[]", '{"process": 1, "words": 1, "since": 1e99}'])
def test_whatever_stands_in_the_lock_the_other_learns_that_it_is_taken(tmp_path, text):
    state = StateFolder(tmp_path / ".sonde")

    with state.claim():
        (state.path / "lock").write_text(text)
        with pytest.raises(AnotherSonde, match="another Sonde is working on this project"), state.claim():
            pass


def test_a_claim_can_follow_another(tmp_path):
    state = StateFolder(tmp_path / ".sonde")
    for _ in range(2):
        with state.claim():
            pass


def test_a_claim_removes_what_a_killed_process_left_in_the_scratch_folder(tmp_path):
    state = StateFolder(tmp_path / ".sonde")
    (state.scratch / "0" / "deep").mkdir(parents=True)
    (state.scratch / "0").chmod(0o555)

    with state.claim():
        assert not state.scratch.exists()


def test_git_does_not_see_the_state_folder(tmp_path):
    state = StateFolder(tmp_path / ".sonde")
    with state.claim():
        assert (state.path / ".gitignore").read_text() == "*\n"


def test_a_folder_that_cannot_be_made_says_so(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreNotWritable, match="--state"), StateFolder(tmp_path / "file" / "state").claim():
        pass
