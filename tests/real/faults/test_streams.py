"""Who reads what Sonde says may be gone, or have no room: no answer is lost to that, and none is made up."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from tests.real.faults.leftovers import assert_nothing_stays_behind
from tests.real.gates import Gate
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import wait_until
from tests.real.subjects import BUILD, SONDE, sonde, work, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]

[benchmarks.work]
command = "{{build}}/work {gate}"
metric = "cpu"
runs = 3
"""


def make_project(folder: Path, gate: Gate) -> None:
    """One revision, whose runs wait at a gate."""
    maker = RepositoryMaker()
    maker.revision({"src/work.sh": work(1, gate.lines), "src/build.sh": BUILD})
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE.format(gate=gate.folder) + gate.environment)


@pytest.fixture
def project(tmp_path):
    make_project(tmp_path, Gate(tmp_path / "gate", at=100))
    return tmp_path


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("show --json > /dev/full", 3),
        ("check HEAD --json > /dev/full", 2),
        ("check nowhere 2> /dev/full", 2),
        ("show --json 2>&-", 0),
        ("show --json >&-", 0),
        ("measure --json < /dev/null 2> /dev/full > answer", 0),
    ],
)
def test_streams_that_take_nothing_give_no_verdict(project, line, code):
    script = f"{' '.join(SONDE)} {line}"

    ended = subprocess.run(
        ["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False, env=environment()
    )

    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr
    if "> answer" in line:
        assert json.loads((project / "answer").read_text())["unknown"] == 0


@pytest.mark.slow
def test_no_file_gets_the_number_of_a_stream_that_is_closed(project):
    """The store would get what programs say on stderr."""
    script = f"{' '.join(SONDE)} measure --json 2>&-"

    ended = subprocess.run(
        ["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False, env=environment()
    )

    assert ended.returncode == 0
    assert json.loads(ended.stdout)["unknown"] == 0  # and nothing but JSON


def test_a_terminal_that_closes_ends_it_in_order(tmp_path):
    gate = Gate(tmp_path / "gate", at=2)
    make_project(tmp_path, gate)
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(tmp_path)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which `nohup` lets the tests ignore
        os.execv(SONDE[0], [*SONDE, "measure"])  # in the child, where CI would make the terminal a plain log
    wait_until(lambda: gate.runs >= 2)

    os.close(terminal)

    _, status = os.waitpid(process, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert_nothing_stays_behind(tmp_path)
    gate.open()
    assert json.loads(sonde(tmp_path, "measure", "--json").stdout)["unknown"] == 0
    assert gate.runs == 4  # the one that was stopped was repeated, and no other


@pytest.mark.slow
def test_who_ignores_that_the_terminal_closes_goes_on(tmp_path):
    """As after `nohup` or `disown`: what is said of the progress goes nowhere."""
    gate = Gate(tmp_path / "gate", at=2)
    make_project(tmp_path, gate)
    ours, theirs = pty.openpty()
    with (tmp_path / "answer").open("w") as answer:
        process = subprocess.Popen(
            ["sh", "-c", f"trap '' HUP; exec {' '.join(SONDE)} measure --json"],
            cwd=tmp_path,
            stdin=theirs,
            stdout=answer,
            stderr=theirs,
            env=environment(),
            start_new_session=True,
        )
        os.close(theirs)
        wait_until(lambda: gate.runs >= 2)
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        gate.open()

        assert process.wait() == 0
    assert json.loads((tmp_path / "answer").read_text())["unknown"] == 0
    assert gate.runs == 3


def environment() -> dict[str, str]:
    """Without what makes a terminal a plain log."""
    return {name: value for name, value in os.environ.items() if name != "CI"}
