"""A subject as a user has it: a repository with two revisions, and a project file beside its sources."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from sonde.core.options import Option
from studies.impact.generated.subjects import Language, Subject
from studies.impact.generated.trees import Side

_WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", "2024-01-01T00:00:00Z"))
}


def write_project(subject: Subject, language: Language, folder: Path) -> None:
    """Make the repository and the project file in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, "init", "--quiet", "--initial-branch=main")
    for side in Side:
        for name, text in language.files(subject, side).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        (folder / ".gitignore").write_text(".sonde/\nsonde.toml\n")
        _git(folder, "add", "--all")
        _git(folder, "commit", "--quiet", "--allow-empty", "-m", side.value)
    (folder / "sonde.toml").write_text(project_file(subject, language))


def project_file(subject: Subject, language: Language) -> str:
    """The text of sonde.toml."""
    parts = []
    if subject.constraints:
        parts.append(f"constraints = {json.dumps(list(subject.constraints))}\n")
    parts.append(language.recipe(subject))
    parts += ["\n".join(_option(option)) + "\n" for option in subject.options]
    return "\n".join(parts)


def _option(option: Option) -> Iterator[str]:
    yield f"[options.{option.name}]"
    if not option.is_switch:
        yield f"{'levels' if option.is_numeric else 'values'} = {json.dumps(list(option.values))}"
        yield f"default = {json.dumps(option.default)}"
    if option.words:
        yield f"words = {json.dumps(option.words)}"
    if option.environment:
        yield f"environment = {json.dumps(option.environment)}"
    if option.variables:
        yield f"variable = {json.dumps(option.variables[0])}"


def _git(folder: Path, *words: str) -> None:
    environment: Mapping[str, str] = {"PATH": os.environ["PATH"], "HOME": str(folder), **_WHO}
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, env=environment)
