"""What a build leaves behind: found by patterns, digested, copied."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from sonde.core.records import Fingerprint
from sonde.effects.fixed_time import FIXED_TIME_SECONDS

_WILDCARD = re.compile(r"[*?\[]")
_MOST_COMPARED = 2_000  # names; to compare long names takes long


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
    root = tree.resolve()
    found: set[str] = set()
    for pattern in patterns:
        try:
            matches = _matches(tree, PurePosixPath(pattern).parts, root)
            names = {file.relative_to(tree).as_posix() for match in matches for file in _files(match, root)}
        except _LeadsOut as leads_out:
            name = leads_out.path.relative_to(tree).as_posix()
            return NoOutputs(f"the output '{name}' is a symbolic link that points out of the work tree")
        except OSError as error:  # such as a path that is too long for the kernel
            return NoOutputs(f"the output '{pattern}' cannot be searched for ({error.strerror})")
        if not names:
            return NoOutputs(f"no file matches the output '{pattern}'{_similar(tree, pattern)}")
        found |= names
    files = tuple(sorted(found))
    hidden = next((name for name in files if not os.access(tree / name, os.R_OK)), None)
    return Outputs(files) if hidden is None else NoOutputs(f"the output '{hidden}' cannot be read")


class _LeadsOut(Exception):
    """A file or folder among the outputs is a link to somewhere else on the machine."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


def _matches(place: Path, parts: Sequence[str], root: Path) -> Iterator[Path]:
    """Files and folders that the parts of a pattern name; `Path.glob` would follow links out of the root."""
    if not parts:
        yield place
        return
    first, *rest = parts
    if first == "**":
        for folder, folders, _ in os.walk(place, onerror=_give_up):
            folders.sort()
            yield from _matches(Path(folder), rest, root)
        return
    names = os.listdir(place) if _WILDCARD.search(first) else [first]  # noqa: PTH208
    for name in sorted(names):
        path = place / name
        if fnmatchcase(name, first) and os.path.lexists(path):
            _require_inside(path, root)
            if not rest or path.is_dir():
                yield from _matches(path, rest, root)


def _files(match: Path, root: Path) -> Iterator[Path]:
    """All files that a match stands for."""
    if not match.is_dir():
        yield from [match] if match.is_file() else []
        return
    seen: set[Path] = set()  # a link may lead back to a folder above it
    for folder, folders, names in os.walk(match, followlinks=True, onerror=_give_up):
        place = Path(folder)
        for name in (*folders, *names):
            _require_inside(place / name, root)
        folders[:] = [name for name in folders if _real(place / name) not in seen]
        seen |= {_real(place / name) for name in folders if (place / name).is_symlink()}
        yield from (place / name for name in names if (place / name).is_file())


def _require_inside(path: Path, root: Path) -> None:
    """Raise _LeadsOut for a link out of the root; the folders above the path are known to lie inside."""
    if path.is_symlink() and not _real(path).is_relative_to(root):
        raise _LeadsOut(path)


def _real(path: Path) -> Path:
    """Where a path leads; `Path.resolve` would raise RuntimeError where links lead in a circle."""
    return Path(os.path.realpath(path))


def _give_up(error: OSError) -> None:
    raise error


def _similar(tree: Path, pattern: str) -> str:
    """A hint: files of this build whose names are like the one that is missing."""
    wanted = pattern.rsplit("/", 1)[-1]
    names: dict[str, str] = {}
    for folder, folders, files in os.walk(tree):
        folders[:] = [name for name in folders if name != ".git"]
        for file in files:
            names.setdefault(file, (Path(folder) / file).relative_to(tree).as_posix())
        if len(names) > _MOST_COMPARED:
            return ""
    close = [names[name] for name in get_close_matches(wanted, names, n=3, cutoff=0.5)]
    return f" (did you mean {' or '.join(repr(name) for name in close)}?)" if close else ""


def size_of_outputs(tree: Path, outputs: Outputs) -> int:
    """The bytes of all outputs; what a file leaves out in the middle counts, since copies have it."""
    return sum((tree / name).stat().st_size for name in outputs.files)


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
