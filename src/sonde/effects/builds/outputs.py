"""What a build leaves behind: found by patterns, digested, copied."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from sonde.core.records import Fingerprint
from sonde.effects.fixed_time import FIXED_TIME_SECONDS


@dataclass(frozen=True)
class Outputs:
    """The files of a build, by their path below the work tree."""

    files: tuple[str, ...]


@dataclass(frozen=True)
class NoOutputs:
    """A build that said it succeeded, but whose outputs are not there; why, in words."""

    reason: str


def find_outputs(tree: Path, patterns: Iterable[str]) -> Outputs | NoOutputs:
    """The files below `tree` that the patterns name; a folder stands for all files in it."""
    found: set[str] = set()
    for pattern in patterns:
        files = {file for match in tree.glob(pattern) for file in _files(match)}
        names = {file.relative_to(tree).as_posix() for file in files}
        if not names:
            return NoOutputs(f"no file matches the output '{pattern}'{_similar(tree, pattern)}")
        outside = [name for name in sorted(names) if not _stays_inside(tree, tree / name)]
        if outside:
            return NoOutputs(f"the output '{outside[0]}' is a link that leads out of the work tree")
        found |= names
    return Outputs(tuple(sorted(found)))


def _files(match: Path) -> list[Path]:
    if not match.is_dir():
        return [match] if match.is_file() else []
    files: list[Path] = []
    seen: set[Path] = set()  # a link may lead back to a folder above it
    for folder, folders, names in os.walk(match, followlinks=True):
        place = Path(folder)
        folders[:] = [name for name in folders if (place / name).resolve() not in seen]
        seen |= {(place / name).resolve() for name in folders if (place / name).is_symlink()}
        files += [place / name for name in names if (place / name).is_file()]
    return files


def _stays_inside(tree: Path, file: Path) -> bool:
    return file.resolve().is_relative_to(tree.resolve())


def _similar(tree: Path, pattern: str) -> str:
    """A hint: files of this build whose names are like the one that is missing."""
    wanted = pattern.rsplit("/", 1)[-1]
    names: dict[str, str] = {}
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if name != ".git"]
        for file in files:
            names.setdefault(file, (Path(folder) / file).relative_to(tree).as_posix())
    close = [names[name] for name in get_close_matches(wanted, names, n=3, cutoff=0.5)]
    return f" (did you mean {' or '.join(repr(name) for name in close)}?)" if close else ""


def fingerprint_outputs(tree: Path, outputs: Outputs) -> tuple[Fingerprint, int]:
    """The digest of paths, executable bits and bytes of the outputs, and their size in bytes."""
    whole, size = hashlib.sha256(), 0
    for name in outputs.files:
        file = tree / name
        content = _digest_of(file)
        executable = bool(file.stat().st_mode & stat.S_IXUSR)
        whole.update(f"{name}\0{int(executable)}\0{content}\n".encode(errors="surrogateescape"))
        size += file.stat().st_size
    return Fingerprint(whole.hexdigest()), size


def _digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def copy_outputs(tree: Path, outputs: Outputs, target: Path) -> None:
    """Copy the outputs to `target`, read-only and with fixed times."""
    for name in outputs.files:
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree / name, copy)
        executable = bool((tree / name).stat().st_mode & stat.S_IXUSR)
        copy.chmod(0o555 if executable else 0o444)
        os.utime(copy, (FIXED_TIME_SECONDS, FIXED_TIME_SECONDS))
