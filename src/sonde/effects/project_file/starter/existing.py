"""Benchmarks that a repository already has for other tools, as suggestions."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from sonde.effects.project_file.starter.files import read, walk

_HYPERFINE = re.compile(r"^[@\s]*hyperfine\s+(.*)$", re.MULTILINE)
_FLAG_WITH_VALUE = re.compile(
    r"-[wmMrspcSnu]|--(warmup|min-runs|max-runs|runs|setup|prepare|conclude|cleanup|shell|command-name|time-unit"
    r"|style|sort|reference|input|output|export-\w+)"
)
_FLAGS_WITH_LISTS = {"-L": 2, "--parameter-list": 2, "-P": 3, "--parameter-scan": 3, "-D": 1}
_PYTEST_FILES = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "requirements-dev.txt",
    "requirements.txt",
)
_MOST = 3


def suggestions(root: Path) -> Iterator[str]:
    """Paragraphs that go into the project file as comments."""
    yield from _asv(root)
    yield from _pytest_benchmark(root)
    yield from _hyperfine(root)


def _asv(root: Path) -> Iterator[str]:
    file = root / "asv.conf.json"
    if not file.is_file():
        return
    # asv allows comments in its JSON.
    text = re.sub(r"^\s*//[^\n]*", "", read(file), flags=re.MULTILINE)
    try:
        folder = str(json.loads(re.sub(r",(\s*[}\]])", r"\1", text)).get("benchmark_dir", "benchmarks"))
    except ValueError:
        folder = "benchmarks"
    functions = [
        (source.stem, name)
        for source in sorted((root / folder).glob("*.py"))
        for name in re.findall(r"^def (time_\w+)\(\)", read(source), re.MULTILINE)
    ]
    module, function = functions[0] if functions else ("MODULE", "time_SOMETHING")
    yield (
        f"asv.conf.json is there. Each of its benchmarks can be one of Sonde's:\n"
        f"[benchmarks.{function}]\n"
        f'inputs = ["{folder}/**"]\n'
        f"command = \"env PYTHONPATH={{build}}:{folder} python3 -c 'import {module}; {module}.{function}()'\""
    )


def _pytest_benchmark(root: Path) -> Iterator[str]:
    if not any("pytest-benchmark" in read(root / name) for name in _PYTEST_FILES):
        return
    yield (
        "pytest-benchmark is in use. Measure what a test calls without pytest around it, or run one test:\n"
        "[benchmarks.one-test]\n"
        'inputs = ["tests/**"]\n'
        'command = "env PYTHONPATH={build} python3 -m pytest --benchmark-disable tests/FILE.py -k TEST"'
    )


def _hyperfine(root: Path) -> Iterator[str]:
    found: dict[str, str] = {}
    for file in walk(root, with_tests=True):
        if file.suffix in (".sh", ".bash", ".yml", ".yaml") or file.name in ("Makefile", "justfile"):
            for line in _HYPERFINE.findall(read(file).replace("\\\n", " ")):
                for command in _measured(line):
                    found.setdefault(command, file.relative_to(root).as_posix())
    for number, (command, where) in enumerate(list(found.items())[:_MOST], start=1):
        doubled = command.replace("{", "{{").replace("}", "}}").replace("\\", "\\\\").replace('"', '\\"')
        yield (
            f"{where} measures this with hyperfine; write {{build}}/ before the program:\n"
            f"[benchmarks.from-hyperfine-{number}]\n"
            f'command = "{doubled}"'
        )


def _measured(line: str) -> Iterator[str]:
    """The commands among the arguments of hyperfine."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return
    skipped = 0
    for word in words:
        if skipped:
            skipped -= 1
        elif word in _FLAGS_WITH_LISTS:
            skipped = _FLAGS_WITH_LISTS[word]
        elif _FLAG_WITH_VALUE.fullmatch(word):
            skipped = 1
        elif not word.startswith("-"):
            yield word
