"""Input files of benchmarks: copied once, known by their content, with fixed times."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sonde.core.digests import digest
from sonde.core.errors import ProjectFileError
from sonde.effects.fixed_time import FIXED_TIME_SECONDS
from sonde.effects.half_made import new_folder
from sonde.effects.runs.orders import SCRATCH
from sonde.effects.sandbox import Mount

# Bubblewrap takes longer for each mount the more there are: 10 ms for 50, 80 ms for 200.
MOST_MOUNTS = 50


@dataclass(frozen=True)
class StagedInputs:
    """A folder with the input files at their relative paths, and the digest of paths and contents."""

    path: Path
    digest: str


def stage_inputs(
    root: Path, files: Iterable[str], state: Path, elsewhere: Mapping[str, Path] | None = None
) -> StagedInputs:
    """The files below `root`, copied to a folder named by what is in them, unless they are there already.

    `elsewhere` are files that do not lie below `root`, by the names that they are to have.
    """
    places = {name: root / name for name in files} | dict(elsewhere or {})
    relative = sorted(places)
    contents = {name: _describe(root, name, places[name]) for name in relative}
    key = digest(contents)
    target = state / "inputs" / key
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with new_folder(target.parent) as folder:
            staged = folder / "inputs"
            staged.mkdir()
            for name in relative:
                _copy(places[name], staged / name)
            _fix_times(staged)
            _rename(staged, target)
    return StagedInputs(target, key)


def files_named(root: Path, patterns: Iterable[str]) -> set[str]:
    """The files below `root` that patterns name; a folder stands for all files in it."""
    return {
        file.relative_to(root).as_posix()
        for pattern in patterns
        for match in root.glob(pattern)
        for file in (match.rglob("*") if match.is_dir() else [match])
        if file.is_file()
    }


def _describe(root: Path, name: str, file: Path) -> tuple[str, bool]:
    """The digest of a file's content, and whether it can be executed."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ProjectFileError(f"the input {name!r} is outside of {root}. Name files below that folder.")
    try:
        with file.open("rb") as content:
            hashed = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        raise ProjectFileError(f"the input {file} cannot be read: {error.strerror}.") from error
    return hashed, os.access(file, os.X_OK)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o555 if os.access(source, os.X_OK) else 0o444)


def _fix_times(staged: Path) -> None:
    for folder, _, names in os.walk(staged, topdown=False):
        for path in (*(Path(folder, name) for name in names), Path(folder)):
            os.utime(path, (FIXED_TIME_SECONDS, FIXED_TIME_SECONDS))


def _rename(staged: Path, target: Path) -> None:
    try:
        staged.rename(target)
    except OSError:
        if not target.is_dir():  # otherwise another thread was faster, with the same content
            raise


def mount_inputs(inputs: Path, scratch: Path) -> tuple[Mount, ...]:
    """What shows the staged files read-only in the scratch folder of a sandbox.

    Their folders are made there, so that a run can write beside an input. But of more than MOST_MOUNTS files,
    only those at the top are shown one by one; folders are then shown as they are, and nothing can be written
    to them.
    """
    files = sorted(path.relative_to(inputs) for path in inputs.rglob("*") if path.is_file())
    if len(files) > MOST_MOUNTS:
        return tuple(Mount(entry, f"{SCRATCH}/{entry.name}") for entry in sorted(inputs.iterdir()))
    for file in files:
        (scratch / file).parent.mkdir(parents=True, exist_ok=True)
        (scratch / file).touch()  # what the file is mounted on
    _fix_times(scratch)
    return tuple(Mount(inputs / file, f"{SCRATCH}/{file}") for file in files)


def lay_out(inputs: Path, scratch: Path) -> None:
    """Put the staged files into a scratch folder, where there is no sandbox to show them read-only.

    As links, which cost nothing, unless we are root: to root, files that cannot be written can be.
    """
    copy = shutil.copy2 if os.geteuid() == 0 else _link
    shutil.copytree(inputs, scratch, copy_function=copy, dirs_exist_ok=True)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another file system
        shutil.copy2(source, target)
