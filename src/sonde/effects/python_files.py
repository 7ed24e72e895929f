"""The Python files of a build."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from sonde.formats.python_source.sources import INIT, PythonSource, parse_source


def find_sources(root: Path, files: Iterable[str]) -> tuple[PythonSource, ...]:
    """The Python files among these, which lie below `root`; raises Unreadable for the first that is none."""
    wanted = sorted(each for each in files if each.endswith(".py") or is_script(root / each))
    packages = {str(PurePosixPath(each).parent) for each in wanted if PurePosixPath(each).stem == INIT}
    return tuple(parse_source(each, (root / each).read_bytes(), packages) for each in wanted)


def is_script(file: Path) -> bool:
    """Whether a file without an ending says that Python runs it."""
    if file.suffix or not file.is_file():
        return False
    with file.open("rb") as stream:
        first = stream.readline(200)
    return first.startswith(b"#!") and b"python" in first
