"""Builds of all revisions, with a digest that is blind to names of functions."""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.demo_subject.plan import trees
from sonde.effects.demo_subject.planned import DoesNotBuild, PlannedRevision


@dataclass(frozen=True)
class Build:
    """The program of one revision."""

    position: int
    program: Path
    digest: str


def build_all(
    repository: Path, planned: tuple[PlannedRevision, ...], folder: Path
) -> list[Build | str | None]:
    """A build, None where it should fail and does, or what differs from the plan, by position."""
    folder.mkdir(exist_ok=True)
    sources = folder / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", repository, sources], check=True)
    listed = _git(sources, "rev-list", "--first-parent", "--reverse", "main").split()
    builds: list[Build | str | None] = []
    for position, (revision_id, revision, tree) in enumerate(
        zip(listed, planned, trees(planned), strict=True)
    ):
        _git(sources, "checkout", "--quiet", "--force", revision_id)
        _git(sources, "clean", "--quiet", "-fdx")
        checked_out = set(_git(sources, "ls-files").split())
        if checked_out != set(tree):
            builds.append(f"{position}: the files are others than planned")
            continue
        builds.append(_build(position, sources, revision, folder))
    return builds


def _build(position: int, sources: Path, revision: PlannedRevision, folder: Path) -> Build | str | None:
    made = subprocess.run(["make", "-s", "-j2"], cwd=sources, capture_output=True, text=True, check=False)
    if isinstance(revision.effect, DoesNotBuild):
        return None if made.returncode else f"{position}: builds, but should not"
    if made.returncode or made.stderr:
        return f"{position}: does not build, or with warnings: {made.stderr}"
    program = folder / f"packer-{position}"
    shutil.copy(sources / "packer", program)
    stripped = folder / "stripped"
    options = ("--strip-all", "--remove-section=.note.gnu.build-id")
    subprocess.run(["objcopy", *options, program, stripped], check=True)
    return Build(position, program, hashlib.sha256(stripped.read_bytes()).hexdigest())


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=repository, capture_output=True, text=True, check=True)
    return done.stdout
