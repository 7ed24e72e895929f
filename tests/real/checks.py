"""A subject whose programs say how long they took, so that what `sonde check` must find is known."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from sonde.cli import main
from sonde.core.revisions import RevisionId
from tests.real.repositories import Content, RepositoryMaker, git
from tests.real.subjects import write_project

PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{build}/work"
metric = "printed"
pattern = "took ([0-9.]+)"
"""

BUILDS = "cp src/work.sh work\nchmod +x work\n"


def work(took: int, remark: str = "", before: str = "") -> str:
    """A program that says how long it took, whatever it took; another remark makes another build."""
    return f"#!/bin/sh\n# {remark}\n{before}\necho took {took}\n"


def make_history(
    folder: Path, revisions: Sequence[tuple[str, Mapping[str, Content]]], project_file: str = PROJECT_FILE
) -> list[RevisionId]:
    """Write a repository of such revisions (a subject and files) and its project file."""
    maker = RepositoryMaker()
    for subject, files in revisions:
        maker.revision(files, subject=subject)
    ids = maker.make(folder / "subject")
    git(folder / "subject", "checkout", "--quiet", "main")
    write_project(folder, project_file)
    return [ids[mark] for mark in sorted(ids)]


@dataclass(frozen=True)
class Said:
    """What a command printed."""

    stdout: str
    stderr: str


def sonde_here(folder: Path, *words: str, code: int = 0) -> Said:
    """What `sonde` prints for a project, run in here: to start Python takes longer than most checks."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(StringIO()) as stdout,
        redirect_stderr(StringIO()) as stderr,
    ):
        patch.setattr(sys, "argv", ["sonde", *words, "--project", str(folder)])
        patch.setenv("CI", "1")
        try:
            main()
        except SystemExit as leaving:
            ended = leaving.code or 0
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    said = Said(stdout.getvalue(), stderr.getvalue())
    assert ended == code, f"exit code {ended}\n{said.stdout}\n{said.stderr}"
    return said


def check(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    """What `sonde check` says, as JSON; it must end with this exit code."""
    answer: dict[str, Any] = json.loads(sonde_here(folder, "check", "--json", *words, code=code).stdout)
    return answer


def verdicts(answer: Mapping[str, Any]) -> list[str]:
    """The verdict of each case, sorted."""
    return sorted(each["verdict"] for each in answer["compared"])


def costs_nothing(answer: Mapping[str, Any]) -> bool:
    """Whether nothing was built or run for it."""
    return (answer["spent"]["builds"], answer["spent"]["runs"]) == (0, 0)
