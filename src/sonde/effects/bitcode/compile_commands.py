"""compile_commands.json: the units of a build, as a build system lists them."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from sonde.core.results import Failed, Stage
from sonde.effects.bitcode.arguments import is_assembler, sort_words
from sonde.effects.bitcode.calls import CompilerCall, expand
from sonde.effects.bitcode.compiling import SourceUnit, normal, relative
from sonde.effects.bitcode.values import Skipped

NAME = "compile_commands.json"
_DEEPEST = 3  # folders
_MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class Listed:
    """The units that a file lists; they are taken for one program."""

    sources: tuple[SourceUnit, ...]
    skipped: tuple[Skipped, ...]


def find_compile_commands(tree: Path) -> Path | None:
    """The file among those of a build; the one that is nearest to the root."""
    for depth in range(_DEEPEST):
        for file in sorted(tree.glob("*/" * depth + NAME)):
            if file.is_file() and _lies_in(tree, file):
                return file
    return None


def _lies_in(tree: Path, file: Path) -> bool:
    """Whether a file lies below the tree in fact; a build can have made it a link."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(tree))


def from_compile_commands(file: Path, folder: Path, tree: str, root: str = "") -> Listed | Failed:
    """The units that a file lists for the work tree in `folder`, which its build sees as `tree`.

    A file that was written elsewhere has other folders: what lies below `root` there (by default: below the
    folder that all of its folders share) is taken to lie below the tree.
    """
    try:
        if file.is_relative_to(folder) and not _lies_in(folder, file):
            raise ValueError("it is a link that leads out of the work tree")
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            raise ValueError("it is no file, or too large a one")
        entries: Any = json.loads(file.read_text())
        calls = [(_call(entry), str(entry["file"])) for entry in entries]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        return Failed(Stage.BUILD, f"{file.name} cannot be read: {error}.")
    ours = [PurePosixPath(call.folder).is_relative_to(tree) for call, _ in calls]
    if not all(ours):
        root = root or _common([call.folder for call, _ in calls])
    sources: dict[SourceUnit, None] = {}
    skipped: dict[Skipped, None] = {}
    for (call, named), is_ours in zip(calls, ours, strict=True):
        here = call if is_ours else _moved(call, root, tree)
        path = named if is_ours else named.replace(root, tree)
        how = sort_words(expand(here, {tree: folder}))
        language = next(
            (each for one, each in how.sources if normal(here.folder, one) == normal(here.folder, path)), ""
        )
        if is_assembler(path) or language.startswith("assembler"):
            reason = "it is in assembler, but only C and C++ can be analysed"
            skipped[Skipped(relative(normal(here.folder, path), tree), reason)] = None
        else:
            sources[SourceUnit(path, language, here.folder, here.compiler, how, ())] = None
    return Listed(tuple(sources), tuple(skipped))


def _call(entry: dict[str, Any]) -> CompilerCall:
    words = entry["arguments"] if "arguments" in entry else shlex.split(str(entry["command"]))
    words = [str(word) for word in words]
    while len(words) > 1 and PurePosixPath(words[0]).name in ("ccache", "sccache", "distcc", "icecc"):
        words = words[1:]
    return CompilerCall(str(entry["directory"]), PurePosixPath(words[0]).name, tuple(words[1:]))


def _moved(call: CompilerCall, root: str, tree: str) -> CompilerCall:
    return CompilerCall(
        call.folder.replace(root, tree, 1),
        call.compiler,
        tuple(word.replace(root, tree) for word in call.words),
    )


def _common(folders: list[str]) -> str:
    """The folder that all of them share."""
    parts = PurePosixPath(folders[0]).parts
    for folder in folders[1:]:
        other = PurePosixPath(folder).parts
        while parts != other[: len(parts)]:
            parts = parts[:-1]
    return str(PurePosixPath(*parts))
