"""A first project file for a repository."""

from __future__ import annotations

from pathlib import Path

from sonde.core.errors import UsageError
from sonde.effects.git.opening import open_repository
from sonde.effects.models import read_model
from sonde.effects.project_file import starter_file


def write_project_file(repository: Path, force: bool, model: Path | None = None) -> Path:
    """The file written: sonde.toml in the repository, with the options and constraints of a feature model.

    Raises NoValidConfiguration for a model that allows nothing: a project needs a default configuration.
    """
    open_repository(repository)
    file = repository / "sonde.toml"
    if file.exists() and not force:
        raise UsageError(f"{file} already exists. Edit it, or overwrite it with --force.")
    if file.is_dir():
        raise UsageError(f"{file} is a folder, so the project file cannot be written. Rename the folder.")
    if file.is_symlink():
        raise UsageError(
            f"{file} is a symbolic link, and the project file would be written to its target. "
            "Remove the link."
        )
    space = None
    if model is not None:
        space = read_model(model)
        _ = space.default
    file.write_text(starter_file(repository, space), encoding="utf-8")
    return file
