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

def total(n):
    return sum(step(each) for each in range(n))

def unused(n):
    return [each for each in range(n)]
'''

SHAPES = """\
import dataclasses, functools, json, multiprocessing, pkgutil

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

def shared(n):
    pool = multiprocessing.get_context("fork").Pool(2)
    pool.map(square, range(n))
    pool.close()
    pool.join()

def table():
    return json.loads(pkgutil.get_data("pack", "table.json"))
"""

ODD = """\
import inspect, os, sys

def rule():
    'a : b c'

def commented():
    return 1  # a comment

class Ending:
    def __del__(self):
        return 1

kept = Ending()

def run():
    beside = os.path.join(os.path.dirname(__file__), "beside")
    sys.path.insert(0, beside)
    try:
        import speedups
    except ImportError:
        pass
    sys.path.remove(beside)
    return len(rule.__doc__), len(inspect.getsource(commented))
"""

FILES = {
    "pack/__init__.py": '"""A package."""\n',
    "pack/sums.py": SUMS,
    "pack/shapes.py": SHAPES,
    "pack/odd.py": ODD,
    "pack/beside/other.py": "x = 1\n",
    "pack/version.py": '__version__ = "1.0"\n',
    "pack/table.json": "[1, 2]\n",
    "pack/other.json": "[1, 2]\n",
}

BENCH = """\
import sys

if sys.argv[1] == "sum":
    import pack.sums
    pack.sums.total(100)
elif sys.argv[1] == "odd":
    import pack.odd
    pack.odd.run()
else:
    import pack.shapes
    pack.shapes.area(20), pack.shapes.shared(4), pack.shapes.table()
    try:
        import pack.speedups
    except ImportError:
        pass
"""

TESTED = """\
import pack.sums

def test_total():
    assert pack.sums.total(3) == 6
"""

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
    commands = {
        "sum": "bench.py sum",
        "counted": "bench.py sum",
        "shapes": "bench.py shapes",
        "odd": "bench.py odd",
        "tested": "-m pytest -q -p no:cacheprovider test_sums.py",
    }
    for name, words in commands.items():
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
    """Edits of one file of the package, and why which benchmarks must run for them."""

    file: str
    edits: Mapping[str, str]  # old -> new; an empty one: the file is new
    runs: Mapping[str, str] = field(default_factory=dict)  # a benchmark -> part of the reason

    @property
    def content(self) -> str:
        """The file after it."""
        text = FILES.get(self.file, "")
        for old, new in self.edits.items():
            assert old in text
            text = text.replace(old, new, 1)
        return text


SUM_CHANGED = {"sum": "changed", "counted": "changed", "tested": "changed"}
SUM_COMPILED = {"counted": "compiling"}
# pytest lists the folders in which it looks for plugins, and so may notice every file in them.
NOTICED = {"tested": "pack"}

CHANGES = {
    "comments": Change(
        "pack/sums.py",
        {'"""One step."""': '"""A step."""', "def total": "# All of it.\n\ndef total"},
        SUM_COMPILED,
    ),
    "a function that nobody calls": Change(
        "pack/sums.py", {"[each for each": "[-each for each"}, SUM_COMPILED
    ),
    "a function": Change("pack/sums.py", {"n * 2": "n + n"}, SUM_CHANGED),
    "a method that nobody calls": Change("pack/shapes.py", {"self.x - self.y": "self.y - self.x"}),
    "a file that is read": Change("pack/table.json", {"2": "3"}, {"shapes": "table.json differs"} | NOTICED),
    "a file that is not read": Change("pack/other.json", {"2": "3"}, NOTICED),
    "a module that is looked for": Change(
        "pack/speedups.py", {"": "x = 1\n"}, {"shapes": "speedups.py"} | NOTICED
    ),
    "a module that nobody imports": Change("pack/version.py", {"1.0": "1.1"}),
}

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
EVERY_KIND = Change("pack/shapes.py", {old: new for old, (new, _) in KINDS.items()})

# What a benchmark can notice of a module that it runs, beside its code.
ODDITIES = {
    "a docstring that is read": Change("pack/odd.py", {"a : b c": "a : b c d"}, {"odd": ""}),
    "a comment that is read": Change("pack/odd.py", {"# a comment": "# another comment"}, {"odd": ""}),
    "what happens at the end": Change("pack/odd.py", {"        return 1": "        return 2"}, {"odd": ""}),
    "a module beside the path": Change("pack/beside/speedups.py", {"": "x = 1\n"}, {"odd": ""} | NOTICED),
}

ALL = {**CHANGES, **ODDITIES, "every kind": EVERY_KIND}


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, its first revision, and one for each change of that."""
    folder = tmp_path_factory.mktemp("select")
    maker = RepositoryMaker()
    maker.revision(FILES, subject="Begin")
    for name, change in ALL.items():
        maker.revision({change.file: change.content}, subject=f"Change {name}")
        maker.revision({change.file: FILES.get(change.file)}, subject="Change it back")
    ids = list(maker.make(folder / "subject").values())
    write_project(folder, project_file())
    (folder / "bench.py").write_text(BENCH)
    (folder / "test_sums.py").write_text(TESTED)
    return folder, ids[0], dict(zip(ALL, ids[1::2], strict=True))


def answer_of(subject, name: str) -> dict[str, Any]:
    folder, base, revisions = subject
    ended = sonde(folder, "select", revisions[name], "--base", base, "--json")
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def check(subject, name: str, wanted: Mapping[str, str]) -> None:
    selected = {each["benchmark"]: each for each in answer_of(subject, name)["selected"]}

    assert {each for each in selected if selected[each]["decision"] == "run"} == wanted.keys()
    for benchmark, each in selected.items():
        assert each["basis"] == ("changed" if benchmark in wanted else "proven"), each["why"]
        assert wanted.get(benchmark, "proven") in json.dumps(each), each["why"]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_concerns_who_runs_it(subject, name):
    check(subject, name, CHANGES[name].runs)


def test_every_kind_of_code_is_seen(subject):
    selected = {each["benchmark"]: each for each in answer_of(subject, "every kind")["selected"]}

    assert {each["name"] for each in selected["shapes"]["functions"]} == {name for _, name in KINDS.values()}
    assert {each for each in selected if selected[each]["decision"] == "run"} == {"shapes"}


@pytest.mark.xfail(strict=True, reason="a proof does not see it yet")
@pytest.mark.parametrize("name", ODDITIES)
def test_what_can_be_noticed_without_being_called_is_not_proven_unchanged(subject, name):
    check(subject, name, ODDITIES[name].runs)


@pytest.mark.xfail(strict=True, reason="a script among the inputs counts as one that is gone")
def test_profiles_are_taken_once_for_all_of_them(subject):
    answer_of(subject, "a function")

    assert answer_of(subject, "every kind")["spent"]["runs"] == 0
