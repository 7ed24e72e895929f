"""What may not be there any more after Sonde has ended, however it has."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.real.sandboxes import living, wait_until


def assert_nothing_stays_behind(project: Path) -> None:
    """No process, no scratch folder, no lock, nothing half made, and a repository as it was."""
    wait_until(lambda: not living(str(project)))  # the kernel may need a moment to end what it was told to
    state = project / ".sonde"
    assert not list((state / "scratch").rglob("*"))
    assert not list(state.rglob("*.lock"))
    assert not list(state.rglob("unfinished-*"))
    assert not list(state.glob("*/new-*"))
    listed = ["git", "worktree", "list"]
    trees = subprocess.run(listed, cwd=project / "subject", capture_output=True, text=True, check=True)
    assert trees.stdout.count("\n") == 1
