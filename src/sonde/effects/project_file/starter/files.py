"""The files of a repository that tell how it is built and run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from sonde.effects.project_file.starter.guesses import CommandGuess

_FOREIGN_FOLDERS = frozenset(
    [
        "node_modules",
        "target",
        "build",
        "sonde-build",
        "third_party",
        "vendor",
        "external",
        "deps",
        "venv",
        "dist",
    ]
)
_TEST_FOLDERS = frozenset(
    ["test", "tests", "testing", "example", "examples", "doc", "docs", "fuzz", "contrib"]
)
_SOURCES = (".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs", ".py", ".go", ".zig", ".d", ".ac", ".toml")
_MOST_FILES = 3000
_MOST_LETTERS = 400_000
_DEEPEST = 5

_READS_HISTORY = re.compile(
    r"git[ -]describe|git rev-parse|git log|git-version-gen|setuptools[-_]scm|hatch-vcs|versioneer|\bpbr\b"
)


def read(file: Path) -> str:
    """The text of a file; empty if there is none."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")[:_MOST_LETTERS]
    except OSError:
        return ""


def walk(root: Path, with_tests: bool = False) -> Iterator[Path]:
    """The files of the subject itself, the nearest to the root first, without hidden and foreign ones."""
    skipped = _FOREIGN_FOLDERS if with_tests else _FOREIGN_FOLDERS | _TEST_FOLDERS
    level, count = [root], 0
    for _ in range(_DEEPEST):
        below: list[Path] = []
        for folder in level:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            for entry in entries:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir():
                    below += [] if entry.name.lower() in skipped else [Path(entry.path)]
                elif count < _MOST_FILES:
                    count += 1
                    yield Path(entry.path)
        level = below


def named(root: Path, name: str) -> list[Path]:
    """The subject's files of this name."""
    return [file for file in walk(root) if file.name == name]


def below(root: Path, file: Path) -> str:
    """The folder of a file as a beginning of paths: empty at the root, else with a slash at its end."""
    folder = file.parent.relative_to(root).as_posix()
    return "" if folder == "." else f"{folder}/"


def reads_history(root: Path, *names: str) -> bool:
    """Whether one of these files asks git for the revision."""
    return any(_READS_HISTORY.search(read(root / name)) for name in names)


def harmless_call(root: Path, program: str) -> CommandGuess:
    """A call of `program` that needs no input: `--version` or `--help`, whichever its sources mention."""
    sources = (read(file) for file in walk(root) if file.suffix in _SOURCES)
    text = "\n".join(sources)
    for flag, sign in (
        ("--version", r"--version\b|[\"']version[\"']"),
        ("--help", r"--help\b|[\"']help[\"']"),
    ):
        if re.search(sign, text):
            return CommandGuess(f"{program} {flag}", f"The sources mention {flag}, which needs no input.")
    return CommandGuess(
        f"{program} --help",
        "The sources mention neither --version nor --help, so exit codes of usage errors are allowed.",
        (0, 1, 2, 64, 255),
    )
