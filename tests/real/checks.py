"""A subject whose programs say how long they took, so that what `sonde check` must find is known."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sonde.core.revisions import RevisionId
from tests.real.repositories import Content, RepositoryMaker, git
from tests.real.subjects import sonde, write_project

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


def check(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    """What `sonde check` says, as JSON; it must end with this exit code."""
    answer: dict[str, Any] = json.loads(sonde(folder, "check", "--json", *words, codes=(code,)).stdout)
    return answer


def verdicts(answer: Mapping[str, Any]) -> list[str]:
    """The verdict of each case, sorted."""
    return sorted(each["verdict"] for each in answer["compared"])


def costs_nothing(answer: Mapping[str, Any]) -> bool:
    """Whether nothing was built or run for it."""
    return (answer["spent"]["builds"], answer["spent"]["runs"]) == (0, 0)
