"""Repositories of a Python package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from sonde.effects.project_file.starter.files import read, reads_history
from sonde.effects.project_file.starter.guesses import BUILD_FOLDER, CommandGuess, Guess, look_at_outputs

_COMPILED = re.compile(
    r"ext_modules|Extension\(|cffi_modules|cythonize|maturin|setuptools[-_]rust|scikit[-_]build|mesonpy|meson-python"
)
_NO_PACKAGES = frozenset(["tests", "test", "docs", "doc", "examples", "benchmarks", "scripts", "tools"])

# pip notes where it installed from, which would make each build look different.
INSTALL = (
    f"python3 -m pip install --quiet --no-compile --target {BUILD_FOLDER} . && "
    f"rm -f {BUILD_FOLDER}/*.dist-info/direct_url.json {BUILD_FOLDER}/*.dist-info/RECORD"
)


def detect_python(root: Path) -> Guess | None:
    """A guess, if there is a pyproject.toml or a setup.py."""
    files = [name for name in ("pyproject.toml", "setup.py") if (root / name).is_file()]
    if not files:
        return None
    package = _package(root)
    needs_install = _needs_install(root)
    sees_git = needs_install and reads_history(root, "pyproject.toml", "setup.py", "setup.cfg")
    if package is None:
        remark = "Sonde found no package: name the folder of your modules in outputs."
        return Guess(files[0], "", (files[0],), look_at_outputs(files[0]), (remark,))
    if needs_install:
        remark = (
            "It has parts to compile or packages to install, so pip installs it; pip may need the network."
        )
        place, command, outputs = f"{{build}}/{BUILD_FOLDER}", INSTALL, (BUILD_FOLDER,)
    else:
        remark = "Nothing has to be built: the outputs are the package's own files."
        folder = package.relative_to(root)
        place = "{build}" if folder.parent == Path() else f"{{build}}/{folder.parent.as_posix()}"
        command, outputs = "", (folder.as_posix(),)
    return Guess(
        files[0], command, outputs, _call(package, place), (remark,), network=needs_install, sees_git=sees_git
    )


def _package(root: Path) -> Path | None:
    """The folder of the package; one with the project's name is preferred."""
    candidates = [
        init.parent
        for folder in (root / "src", root)
        for init in sorted(folder.glob("*/__init__.py"))
        if init.parent.name.lower() not in _NO_PACKAGES
    ]
    name = str(_project(root).get("name", root.name)).lower().replace("-", "_")
    named = [folder for folder in candidates if folder.name.lower() == name]
    return next(iter([*named, *candidates]), None)


def _needs_install(root: Path) -> bool:
    project, setup = _project(root), read(root / "setup.py") + read(root / "setup.cfg")
    texts = read(root / "pyproject.toml") + setup
    return bool(
        project.get("dependencies")
        or re.search(r"install_requires\s*=\s*[\[\n]\s*\S", setup)
        or _COMPILED.search(texts)
    )


def _project(root: Path) -> dict[str, Any]:
    try:
        project = tomllib.loads(read(root / "pyproject.toml")).get("project", {})
    except tomllib.TOMLDecodeError:
        return {}
    return project if isinstance(project, dict) else {}


def _call(package: Path, place: str) -> CommandGuess:
    start = f"env PYTHONPATH={place} python3"
    if (package / "__main__.py").is_file() and "argparse" in _texts(package):
        return CommandGuess(
            f"{start} -m {package.name} --help", "The package can be run, and --help needs no input."
        )
    return CommandGuess(
        f"{start} -c 'import {package.name}'", "This measures the time to import the package."
    )


def _texts(package: Path) -> str:
    return "".join(read(file) for file in sorted(package.glob("*.py")))
