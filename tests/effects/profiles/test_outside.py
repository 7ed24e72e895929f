"""Files outside of the build that code was loaded from."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from sonde.effects.profiles.mentions import Mention
from sonde.effects.profiles.outside import digest_outside
from sonde.effects.profiles.places import RunPaths
from sonde.effects.runs.instruments import RunFolders

CODE, TEXT = b"\x7fELF and so on", b"#!/bin/sh\n"


@pytest.fixture
def places(tmp_path) -> RunPaths:
    for name in ("build", "scratch", "meter", "usr"):
        (tmp_path / name).mkdir()
    (tmp_path / "usr" / "library.so").write_bytes(CODE)
    (tmp_path / "usr" / "script").write_bytes(TEXT)
    return RunPaths(scene(tmp_path))


def scene(folder: Path) -> RunFolders:
    return RunFolders(folder / "meter", folder / "scratch", folder / "build", lambda target: target)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_what_was_executed_is_digested(places, tmp_path):
    library = f"{tmp_path}/usr/library.so"

    assert digest_outside([library, "???"], [], places) == {library: sha256(CODE)}


def test_a_file_that_is_gone_has_no_digest(places):
    assert digest_outside(["/usr/lib/gone.so"], [], places) == {"/usr/lib/gone.so": ""}


def test_of_what_was_opened_only_code_counts(places, tmp_path):
    library, script = f"{tmp_path}/usr/library.so", f"{tmp_path}/usr/script"
    mentions = [Mention("openat", library), Mention("openat", script), Mention("openat", "/no/such.so")]

    assert digest_outside([], mentions, places) == {library: sha256(CODE)}


def test_a_script_counts_if_it_was_started(places, tmp_path):
    script = f"{tmp_path}/usr/script"

    assert digest_outside([], [Mention("execve", script)], places) == {script: sha256(TEXT)}


def test_outputs_and_their_copies_do_not_count(places, tmp_path):
    Path(tmp_path, "build", "xz").write_bytes(CODE)
    Path(tmp_path, "scratch", "copy").write_bytes(CODE)

    assert digest_outside(["/sonde/build/xz", "/sonde/scratch/copy"], [], places) == {}


def test_a_program_that_was_made_in_the_run_has_a_path_that_nobody_finds_later(places, tmp_path):
    Path(tmp_path, "scratch", "made").write_bytes(CODE)
    Path(tmp_path, "scratch", "script").write_bytes(TEXT)
    scratch = f"{tmp_path}/scratch"

    found = digest_outside([f"{scratch}/made"], [Mention("execve", f"{scratch}/script")], places)

    assert found == {"/sonde/scratch/made": sha256(CODE)}


def test_files_of_the_benchmark_do_not_count_for_a_profile_belongs_to_them(places, tmp_path):
    Path(tmp_path, "inputs").mkdir()
    Path(tmp_path, "inputs", "bench.py").write_bytes(TEXT)
    known = RunPaths(replace(scene(tmp_path), inputs=tmp_path / "inputs"))

    assert digest_outside(["/sonde/scratch/bench.py"], [], known) == {}
    assert digest_outside(["/sonde/scratch/bench.py"], [], places) == {"/sonde/scratch/bench.py": ""}


def test_a_file_that_changed_has_another_digest(places, tmp_path):
    library = f"{tmp_path}/usr/library.so"
    before = digest_outside([library], [], places)
    Path(library).unlink()
    Path(library).write_bytes(CODE[::-1])

    assert digest_outside([library], [], places) != before


def test_a_pipe_that_a_run_has_opened_is_not_opened_again(places, tmp_path):
    """What is in it is for the next run, and opening it could take for ever."""
    pipe = tmp_path / "usr" / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    os.write(held, CODE)

    assert digest_outside([], [Mention("openat", str(pipe))], places) == {}
    assert os.read(held, 100) == CODE
    os.close(held)
