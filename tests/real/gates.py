"""A gate at which a run of a program waits, so that a test can stop Sonde in the middle of that run."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from tests.real.sandboxes import wait_until
from tests.real.subjects import SONDE


class Gate:
    """From the `at`-th run on, counted from 1, runs wait until it is opened.

    The program gets `folder` as `$1`.
    """

    def __init__(self, folder: Path, at: int) -> None:
        folder.mkdir(parents=True)
        self.folder, self.at = folder, at

    @property
    def lines(self) -> str:
        """What the program does in the shell before anything else."""
        return f"""\
echo $$ >> "$1/runs"
test $(wc -l < "$1/runs") -lt {self.at} || while ! test -e "$1/open"; do sleep 0.05; done
"""

    @property
    def environment(self) -> str:
        """The table of the project file that lets runs write into the folder."""
        return f'[environment]\nwritable = ["{self.folder}"]\n'

    @property
    def runs(self) -> int:
        """How many runs have begun."""
        journal = self.folder / "runs"
        return len(journal.read_text().splitlines()) if journal.exists() else 0

    def open(self) -> None:
        """Let every run pass from now on."""
        (self.folder / "open").touch()


def stop_at(gate: Gate, project: Path, *words: str, sent: signal.Signals = signal.SIGINT) -> int:
    """Start Sonde, send it a signal while a run waits at the gate, and open that; the exit code."""
    process = subprocess.Popen(
        [*SONDE, *words], cwd=project, stdout=-3, stderr=-3, env={**os.environ, "CI": "1"}
    )
    wait_until(lambda: gate.runs >= gate.at or process.poll() is not None)
    assert process.poll() is None, "it ended before that run"
    process.send_signal(sent)
    code = process.wait()
    gate.open()
    return code
