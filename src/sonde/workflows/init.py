"""A first project file for a repository."""

from __future__ import annotations

from pathlib import Path

from sonde.core.errors import UsageError
from sonde.effects.git.opening import open_repository
from sonde.effects.project_file import starter_file


def write_project_file(repository: Path, force: bool) -> Path:
    """The file written: sonde.toml in the repository."""
    open_repository(repository)
    file = repository / "sonde.toml"
    if file.exists() and not force:
        raise UsageError(f"{file} is there already. Edit it, or write it anew with --force.")
    file.write_text(starter_file(repository))
    return file
