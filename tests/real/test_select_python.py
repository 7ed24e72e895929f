"""`sonde select` from the command line to the answer, on a Python package whose truth is known."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap", "strace", "valgrind")

SUMS = '''\
"""Sums."""

def step(n):
    """One step."""
    return n * 2

def run():
    return sum(step(each) for each in range(100))

def unused(n):
    return [each for each in range(n)]
'''

SHAPES = """\
import dataclasses, functools, json, multiprocessing, pkgutil

try:
    import pack.speedups
except ImportError:
    pass

def plain(function):
    @functools.wraps(function)
    def wrapper(*given):
        return function(*given)
    return wrapper

@dataclasses.dataclass(order=True)
class Point:
    x: int = 1
    y: int = 2

    def norm(self):
        return self.x + self.y

    def unused(self):
        return self.x - self.y

def corners(n):
    for each in range(n):
        yield Point(each)

@plain
def area(n):
    key = lambda point: point.norm()
    return sorted(corners(n), key=key)

def square(n):
    return n * n

def run():
    area(20)
    pool = multiprocessing.get_context("fork").Pool(2)
    pool.map(square, range(4))
    pool.close()
    pool.join()
    return json.loads(pkgutil.get_data("pack", "table.json"))
"""

DOCSTRING = """\
def rule():
    'a : b c'

def run():
    return len(rule.__doc__)
"""

SOURCE = """\
import inspect

def commented():
    return 1  # a comment

def run():
    return len(inspect.getsource(commented))
"""

ENDING = """\
class Ending:
    def __del__(self):
        return 1

def run():
    global kept
    kept = Ending()
"""

BESIDE = """\
import os, sys

def run():
    beside = os.path.join(os.path.dirname(__file__), "folder")
    sys.path.insert(0, beside)
    try:
        import helpers
    except ImportError:
        pass
    sys.path.remove(beside)
"""

FILES = {
    "pack/__init__.py": '"""A package."""\n',
    "pack/sums.py": SUMS,
    "pack/shapes.py": SHAPES,
    "pack/docstring.py": DOCSTRING,
    "pack/source.py": SOURCE,
    "pack/ending.py": ENDING,
    "pack/beside.py": BESIDE,
    "pack/folder/other.py": "x = 1\n",
    "pack/version.py": '__version__ = "1.0"\n',
    "pack/table.json": "[1, 2]\n",
    "pack/other.json": "[1, 2]\n",
    "pack/template.py": "{{ no Python }}\n",
}

BENCH = """\
import importlib, sys

if __name__ == "__main__":
    importlib.import_module(f"pack.{sys.argv[1]}").run()
"""

TESTED = """\
import pack.sums

def test_sums():
    assert pack.sums.run() == 9900
"""

COMMANDS = {
    "sums": "bench.py sums",
    "counted": "bench.py sums",
    "shapes": "bench.py shapes",
    "docstring": "bench.py docstring",
    "source": "bench.py source",
    "ending": "bench.py ending",
    "beside": "bench.py beside",
    "tested": "-m pytest -q -p no:cacheprovider test_sums.py",
}

# Code objects can be compared within one minor version of Python only.
SYSTEM = "/usr/bin/python3"
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")


def interpreter() -> tuple[str, list[str]]:
    """A Python like ours, and what a sandbox must show for it; the system's needs nothing."""
    if Path(SYSTEM).exists():
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        ended = subprocess.run([SYSTEM, "-c", code], check=True, capture_output=True, text=True)
        if ended.stdout.strip() == VERSION:
            return SYSTEM, []
    return sys.executable, sorted({sys.prefix, sys.base_prefix})


def project_file() -> str:
    python, readable = interpreter()
    found = [importlib.util.find_spec(name) for name in PYTEST]
    origins = [Path(spec.origin) for spec in found if spec is not None and spec.origin is not None]
    packages = [each.parent if each.name == "__init__.py" else each for each in origins]
    text = f"""\
repository = "subject"

[build]
outputs = ["pack"]

[environment]
readable = {json.dumps([*readable, *map(str, packages)])}
"""
    for name, words in COMMANDS.items():
        path = f"{{build}}:{packages[0].parent}" if name == "tested" else "{build}"
        text += f"""
[benchmarks.{name}]
command = "env PYTHONPATH={path} {python} {words}"
inputs = ["bench.py", "test_sums.py"]
metric = "{"instructions" if name == "counted" else "cpu"}"
"""
    return text


@dataclass(frozen=True)
class Change:
    """Edits of some files of the package, and why which benchmarks must run for them."""

    edits: Mapping[
        tuple[str, str], str
    ]  # a file and a text in it -> another text; of an empty one: a new file
    runs: Mapping[str, str] = field(default_factory=dict)  # a benchmark -> part of the reason

    @property
    def contents(self) -> Mapping[str, str]:
        """The files after it."""
        found: dict[str, str] = {}
        for (file, old), new in self.edits.items():
            before = found.get(file, FILES.get(file, ""))
            assert old in before
            found[file] = before.replace(old, new, 1)
        return found


SUMS_PY, SHAPES_PY = "pack/sums.py", "pack/shapes.py"

# One edit of each kind of code, and the function that it changes.
KINDS = {
    "self.x + self.y": ("self.y + self.x", "Point.norm"),
    "y: int = 2": ("y: int = 3", "Point"),
    "Point(each)": ("Point(-each)", "corners"),
    ": point.norm": (": -point.norm", "area.<locals>.<lambda>"),
    "function(*given)": ("function(*given) or None", "plain.<locals>.wrapper"),
    "n * n": ("n ** 2", "square"),
    "@plain\n": ("", "<module>"),
}

# pytest lists the folders in which it looks for plugins, so it may notice any file, and it reads docstrings.
CHANGES = {
    "what nobody runs": Change(
        {
            (SUMS_PY, "def run"): "# All of it.\n\ndef run",
            (SUMS_PY, "[each for each"): "[-each for each",
            (SHAPES_PY, "self.x - self.y"): "self.y - self.x",
            ("pack/version.py", "1.0"): "1.1",
        },
        {"counted": "compiling"},
    ),
    "a docstring": Change(
        {(SUMS_PY, "One step."): "A step."},
        {"counted": "compiling", "tested": "its string constants changed"},
    ),
    "files that nobody reads": Change(
        {
            ("pack/other.json", "2"): "3",
            ("pack/template.py", "no"): "not yet",
            ("pack/new.py", ""): "x = 1\n",
        },
        {"tested": "pack"},
    ),
    "a function": Change(
        {(SUMS_PY, "n * 2"): "n + n"}, dict.fromkeys(["sums", "counted", "tested"], "step changed")
    ),
    "every kind of code": Change(
        {(SHAPES_PY, old): new for old, (new, _) in KINDS.items()}, {"shapes": "changed"}
    ),
    "what can be noticed without being called": Change(
        {
            ("pack/table.json", "2"): "3",
            ("pack/docstring.py", "a : b c"): "a : b c d",
            ("pack/source.py", "# a comment"): "# another comment",
            ("pack/ending.py", "return 1"): "return 2",
            ("pack/folder/helpers.py", ""): "x = 1\n",
        },
        {
            "shapes": "table.json differs",
            "docstring": "its string constants changed in rule",
            "source": "source.py differs, and it was opened as a file",
            "ending": "Ending.__del__ changed",
            "beside": "helpers.py came, and a module helpers was looked for",
            "tested": "pack",
        },
    ),
    "a module that was looked for": Change(
        {("pack/speedups.py", ""): "x = 1\n"}, {"shapes": "speedups.py", "tested": "pack"}
    ),
}


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, its first revision, and one for each change of that."""
    folder = tmp_path_factory.mktemp("select")
    maker = RepositoryMaker()
    maker.revision(FILES, subject="Begin")
    for name, change in CHANGES.items():
        maker.revision(change.contents, subject=f"Change {name}")
        maker.revision({file: FILES.get(file) for file in change.contents}, subject="Change it back")
    ids = list(maker.make(folder / "subject").values())
    write_project(folder, project_file())
    (folder / "bench.py").write_text(BENCH)
    (folder / "test_sums.py").write_text(TESTED)
    return folder, ids[0], dict(zip(CHANGES, ids[1::2], strict=True))


def answer_of(subject, name: str) -> dict[str, Any]:
    folder, base, revisions = subject
    ended = sonde(folder, "select", revisions[name], "--base", base, "--json")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_concerns_who_runs_or_reads_it(subject, name):
    wanted = CHANGES[name].runs

    selected = {each["benchmark"]: each for each in answer_of(subject, name)["selected"]}

    assert {each for each in selected if selected[each]["decision"] == "run"} == wanted.keys()
    for benchmark, each in selected.items():
        assert each["basis"] == ("changed" if benchmark in wanted else "proven"), each["why"]
        assert wanted.get(benchmark, "proven") in json.dumps(each), each["why"]


def test_every_kind_of_code_is_seen_and_profiles_are_taken_once(subject):
    answer_of(subject, "a function")
    answer = answer_of(subject, "every kind of code")

    selected = {each["benchmark"]: each for each in answer["selected"]}
    assert {each["name"] for each in selected["shapes"]["functions"]} == {name for _, name in KINDS.values()}
    assert answer["spent"]["runs"] == 0
