"""The project file: `sonde.toml`, or `[tool.sonde]` in `pyproject.toml`."""

from sonde.effects.project_file.loading import (
    FILE_NAMES,
    Project,
    find_project_file,
    holds_project,
    load_project,
)
from sonde.effects.project_file.quantities import parse_size
from sonde.effects.project_file.schema import schema
from sonde.effects.project_file.starter import starter_file

__all__ = [
    "FILE_NAMES",
    "Project",
    "find_project_file",
    "holds_project",
    "load_project",
    "parse_size",
    "schema",
    "starter_file",
]
