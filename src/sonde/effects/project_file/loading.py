"""Finds and reads the project file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import ProjectFileError
from sonde.core.subject import Subject
from sonde.effects.project_file.check_commands import command_mistakes, unused_option_mistakes
from sonde.effects.project_file.check_options import option_mistakes
from sonde.effects.project_file.check_parts import benchmark_mistakes, constraint_mistakes, place_mistakes
from sonde.effects.project_file.conversion import subject_of
from sonde.effects.project_file.mistakes import error_of
from sonde.effects.project_file.source import ProjectSource, parse_source, read_source
from sonde.effects.project_file.structure import gather, read_structure
from sonde.effects.project_file.texts import text_mistakes
from sonde.space.space import Space

FILE_NAME = "sonde.toml"
PYTHON_FILE_NAME = "pyproject.toml"
FILE_NAMES = (FILE_NAME, PYTHON_FILE_NAME)  # the first of them counts
STATE_FOLDER = ".sonde"


@dataclass(frozen=True)
class Project:
    """What a project file says, and where its things lie."""

    file: Path
    root: Path  # the folder of the file
    repository: Path
    state: Path
    subject: Subject
    space: Space
    budget: str  # as for `--budget`; empty: no limit
    cache_limit_bytes: int


def load_project(start: Path, text: str | None = None) -> Project:
    """The project whose file is `start`, or lies in the folder `start` or in the nearest one above it.

    A text takes the place of what stands in the file `start`, such as that of another revision. Raises
    ProjectFileError with every mistake.
    """
    source = _find(start) if text is None else parse_source(start, text)
    keys = source.keys
    if keys is None:
        raise ProjectFileError(
            f"{source.shown_file} has no table [tool.sonde]. Write one, or run 'sonde init'."
        )
    structure = read_structure(keys)
    mistakes = gather(
        structure.mistakes,
        text_mistakes(keys),
        place_mistakes(source, structure),
        option_mistakes(structure),
        benchmark_mistakes(source, structure),
        command_mistakes(source, structure),
        unused_option_mistakes(source, structure),
        constraint_mistakes(structure),
    )
    if mistakes:
        raise error_of(source, mistakes)
    root, part, subject = source.file.parent, structure.part, subject_of(structure.part)
    return Project(
        file=source.file,
        root=root,
        repository=(root / part.repository).resolve(),
        state=root / STATE_FOLDER,
        subject=subject,
        space=Space.of(subject.options, subject.constraints),
        budget=part.budget,
        cache_limit_bytes=part.cache_limit,
    )


def find_project_file(start: Path) -> Path | None:
    """The file that `load_project` reads, or None if there is none in the folder `start` or above it.

    Raises ProjectFileError if `start` does not exist.
    """
    place = start.absolute()
    if place.is_file():
        return place
    if not place.is_dir():
        raise ProjectFileError(
            f"{start} does not exist. Name a folder with a {FILE_NAME}, or the file itself."
        )
    for folder in (place, *place.parents):
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
        python_file = folder / PYTHON_FILE_NAME
        if _mentions_sonde(python_file) and read_source(python_file).keys is not None:
            return python_file
    return None


def holds_project(file: Path, text: str) -> bool:
    """Whether `find_project_file` would take a file with this text."""
    return file.name == FILE_NAME or ("sonde" in text and parse_source(file, text).keys is not None)


def _find(start: Path) -> ProjectSource:
    file = find_project_file(start)
    if file is None:
        raise ProjectFileError(
            f"there is no {FILE_NAME} in {start.absolute()} or above it, nor a {PYTHON_FILE_NAME} with "
            "[tool.sonde]. Run 'sonde init' in the folder of the project."
        )
    return read_source(file)


def _mentions_sonde(file: Path) -> bool:
    """Whether it is worth reading: someone else's file with mistakes must not stop the search."""
    return file.is_file() and b"sonde" in file.read_bytes()
