"""What takes too much is ended or refused, and the message names the limit."""

from dataclasses import replace

import pytest

from sonde.core.subject import USUAL_LIMITS, Limits, Surroundings
from sonde.effects.runs import SandboxRuns, in_shell
from sonde.effects.sandbox import Ended, Processes, SandboxView
from sonde.effects.sandbox.limiting import name_limit, name_outputs_limit
from tests.real.run_orders import fail, order
from tests.real.sandboxes import BOTH, open_sandbox

MANY = "for n in $(seq 30); do sleep 61 & done; wait"
LARGE = "import mmap; a = bytearray(80_000_000); import time; time.sleep(61)"
SHARED = """
import os, time
a = bytearray(60_000_000)
for _ in range(3):
    if os.fork() == 0:
        break
time.sleep(2)
"""


def ended(kind: str, line: str, **limits: int) -> tuple[Ended, Limits]:
    """How a shell line ended within limits."""
    most = replace(USUAL_LIMITS, **limits)
    world = SandboxView(limits=most)
    return Processes().run(in_shell(line), sandbox=open_sandbox(kind), world=world, timeout_seconds=60), most


@BOTH
def test_too_many_processes_are_ended(kind):
    told, limits = ended(kind, MANY, processes=20)

    assert told.exceeded == "processes"
    said = "it had more than 20 processes ('processes' in [limits] of the project file)"
    assert name_limit(told, limits) == said
    assert told.left_behind > 0


@BOTH
def test_what_takes_too_much_memory_is_ended(kind):
    told, limits = ended(kind, f"exec python3 -c '{LARGE}'", memory_bytes=50_000_000)

    assert told.exceeded == "memory"
    assert "more than 50 MB of memory" in name_limit(told, limits)


@BOTH
def test_memory_that_processes_share_counts_once(kind):
    told, _ = ended(kind, f"exec python3 -c '{SHARED}'", memory_bytes=150_000_000)

    assert told.succeeded, told.output


def test_files_in_memory_count():
    told, limits = ended(
        "bubblewrap", "head -c 80000000 /dev/zero >/dev/shm/a; sleep 61", memory_bytes=50_000_000
    )

    assert "of memory" in name_limit(told, limits)


@BOTH
def test_a_file_that_is_too_large_is_refused(kind):
    told, limits = ended(
        kind,
        "f=$(mktemp) && head -c 9000000 /dev/zero >$f; s=$?; rm $f; exit $s",
        file_bytes=5_000_000,
    )

    assert not told.succeeded
    assert "no file may have more than 5 MB" in name_limit(told, limits)


@BOTH
def test_no_core_is_dumped_and_few_files_can_be_open(kind):
    told, _ = ended(kind, "ulimit -c; ulimit -Hn", open_files=100)

    assert told.output == "0\n100\n"


@pytest.mark.needs("bwrap")
def test_a_run_that_takes_too_much_fails_and_says_why(tmp_path):
    limits = replace(USUAL_LIMITS, processes=20)
    runs = SandboxRuns(open_sandbox("bubblewrap"), tmp_path / "state", Processes(), Surroundings(), limits)

    failed = fail(runs, order(*in_shell(MANY)), tmp_path)

    assert failed.reason.startswith("The benchmark was ended: it had more than 20 processes")
    assert not failed.is_lasting


def test_outputs_have_a_limit():
    assert name_outputs_limit(2 * 10**9, USUAL_LIMITS) == ""
    assert "The outputs have 3.1 GB, and may have 2 GB ('outputs'" in name_outputs_limit(
        3_100_000_000, USUAL_LIMITS
    )
