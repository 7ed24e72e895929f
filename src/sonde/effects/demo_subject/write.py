"""Writes the demo subject: its repository, its inputs, its project file and its truth."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sonde.core.errors import MissingTool, UserError
from sonde.effects.demo_subject.corpus import corpus
from sonde.effects.demo_subject.fast_import import BRANCH, import_stream
from sonde.effects.demo_subject.plan import plan
from sonde.effects.demo_subject.truth import truth
from sonde.effects.subject_files import discard

PROJECT_FILE = "sonde.toml"
UNFINISHED = ".sonde-demo-unfinished"  # what is left of a demo whose writing was cut off


class FolderNotEmpty(UserError):
    """The demo would be written among files that are there already."""


class FolderNotWritable(UserError):
    """The folder of the demo cannot be made, or nothing can be written there."""


@dataclass(frozen=True)
class DemoSubject:
    """Where the demo was written."""

    folder: Path
    repository: Path
    project_file: Path
    truth_file: Path
    revision_ids: tuple[str, ...]  # first-parent history, oldest first


def write_demo(folder: Path) -> DemoSubject:
    """The demo subject, written into a folder that is empty or does not exist yet.

    The revision ids are the same on every machine, whatever git is told by the user's configuration.
    """
    unfinished = folder / UNFINISHED
    if folder.is_dir() and list(folder.iterdir()) == [unfinished]:
        discard(unfinished)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderNotEmpty(
            f"{folder}: the demo needs an empty folder, and this one is not. "
            f"Name another one, or one that does not exist yet."
        )
    if shutil.which("git") is None:
        raise MissingTool("git is not installed, and the demo is a git repository. Install git.")
    try:
        unfinished.mkdir(parents=True)
    except OSError as error:
        raise FolderNotWritable(
            f"{folder}: {error.strerror}. Name a folder that you may write to."
        ) from error
    ids = _write(unfinished)
    for each in sorted(unfinished.iterdir(), key=lambda path: path.name == PROJECT_FILE):
        each.rename(folder / each.name)  # the project file last: with it, the demo is whole
    unfinished.rmdir()
    return DemoSubject(folder, folder / "packer", folder / PROJECT_FILE, folder / "truth.json", ids)


def _write(folder: Path) -> tuple[str, ...]:
    """All files of the demo; the ids of its revisions."""
    planned, repository = plan(), folder / "packer"
    repository.mkdir()
    _git(repository, "init", "--quiet", "--template=", f"--initial-branch={BRANCH}", ".")
    _git(repository, "fast-import", "--quiet", stdin=import_stream(planned))
    _git(repository, "reset", "--quiet", "--hard", BRANCH)
    ids = tuple(_git(repository, "rev-list", "--first-parent", "--reverse", BRANCH).split())
    for name, content in corpus().items():
        path = folder / "corpus" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    project_file = (files(__package__) / PROJECT_FILE).read_text("utf-8")
    (folder / PROJECT_FILE).write_text(project_file, "utf-8")
    (folder / "truth.json").write_text(json.dumps(truth(planned, ids), indent=2) + "\n", "utf-8")
    return ids


def _git(repository: Path, *arguments: str, stdin: bytes = b"") -> str:
    """What git prints, when it runs as if nobody had ever configured it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}
    done = subprocess.run(
        ["git", *arguments], cwd=repository, env=environment, input=stdin, capture_output=True, check=True
    )
    return done.stdout.decode()
