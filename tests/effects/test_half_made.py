"""What is being made is removed once its maker is gone, and not before."""

from __future__ import annotations

import signal
import subprocess
import sys

from sonde.effects.half_made import new_folder, remove_leftovers
from sonde.effects.state_folder import StateFolder

HOLDS = """
import sys
from pathlib import Path
from sonde.effects.half_made import new_folder
with new_folder(Path(sys.argv[1])) as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_gone_when_its_work_is_done(tmp_path):
    with new_folder(tmp_path) as folder:
        (folder / "file").write_text("half")
    assert not list(tmp_path.iterdir())


def test_a_claim_leaves_alone_what_another_process_is_making(tmp_path):
    """Input files are copied before anything is claimed."""
    state = StateFolder(tmp_path)
    (tmp_path / "inputs").mkdir()
    with new_folder(tmp_path / "inputs") as folder, state.claim():
        assert folder.is_dir()


def test_what_a_killed_process_was_making_is_removed(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as maker:
        assert maker.stdout
        maker.stdout.readline()
        remove_leftovers(tmp_path)
        assert list(tmp_path.iterdir())
        maker.send_signal(signal.SIGKILL)
    remove_leftovers(tmp_path)
    assert not list(tmp_path.iterdir())


def test_folders_that_no_process_holds_are_removed(tmp_path):
    (tmp_path / "new-1" / "deep").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    remove_leftovers(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["other"]
