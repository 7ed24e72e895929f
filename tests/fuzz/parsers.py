"""Everything that reads what somebody else has written: what it reads, and how it says that it cannot."""

from __future__ import annotations

import atexit
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp

from sonde.campaign.budget import parse_budget
from sonde.core.errors import CorruptStore, UserError
from sonde.core.options import Option
from sonde.effects.bitcode.compile_commands import from_compile_commands
from sonde.effects.builds.orders import TREE
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.models import read_model
from sonde.effects.profiles.dumps import parse_dumps
from sonde.effects.project_file import load_project
from sonde.effects.recordings.points import read_recording
from sonde.effects.sandbox import answers
from sonde.effects.sandbox.processes import COMMAND
from sonde.effects.snapshots.dynamic_linking import read_dynamic_linking
from sonde.effects.snapshots.reading import read_snapshot
from sonde.effects.store import is_sound, open_store, repair_store
from sonde.effects.store.tables import TABLES
from sonde.formats.callgrind.costs import Garbled, read_costs
from sonde.formats.llvm_ir.modules import read_module
from sonde.formats.python_source.reading import read_python
from sonde.formats.python_source.sources import UnreadablePython, parse_source
from sonde.space.space import Space
from sonde.workflows.history.planners import parse_stopping
from sonde.workflows.select.learners import parse_catch
from sonde.workflows.thresholds import parse_threshold
from tests.effects.models.spaces import PACKER_UVL, PACKER_XML
from tests.effects.profiles.test_dumps import TEXT
from tests.effects.store.filled_stores import records
from tests.real.repositories import linear

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent


@dataclass(frozen=True)
class Parser:
    """A reader of foreign content: good examples of it, and what it raises where the content is not good."""

    name: str
    examples: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]
    complaints: tuple[type[Exception], ...] = (UserError,)


def _in_file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of a file's content."""

    def read_content(content: bytes) -> object:
        with TemporaryDirectory() as folder:
            file = Path(folder) / name
            file.write_bytes(content)
            return read(file)

    return read_content


def _files(pattern: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [file.read_bytes() for file in sorted(TESTS.glob(pattern))]


_READABLE = """\
constraints = ["a excludes b"]

[build]
command = "make"
outputs = ["program"]
timeout = "10m"

[options.a]
words = "--a"

[options.b]
words = "--b"

[benchmarks.run]
command = "{build}/program {options}"
runs = 3
"""


def _project_files() -> Sequence[bytes]:
    page = (ROOT / "docs" / "project-file.md").read_text()
    example = page.partition("```toml\n")[2].partition("```")[0]
    return [example.encode(), _READABLE.encode(), *_files("effects/project_file/files/*.toml")()]


@cache
def _programs() -> Sequence[bytes]:
    """A small program and a library with debug information."""
    source = (
        "#include <stdio.h>\n"
        "int f(int n) { return n * 3; }\n"
        "int main(int c, char **v) { puts(v[0]); return f(c); }\n"
    )
    with TemporaryDirectory() as folder:
        found = []
        for words in (["-O1"], ["-g", "-shared", "-fPIC"]):
            made = Path(folder) / "made"
            subprocess.run(["cc", *words, "-x", "c", "-", "-o", made], input=source.encode(), check=True)
            found.append(made.read_bytes())
    return found


def _read_program(file: Path) -> object:
    read_dynamic_linking(file)
    return read_snapshot(file.parent, [file.name])


def _read_costs(content: bytes) -> object:
    return list(read_costs(content, lambda _: True))


def _read_python(content: bytes) -> object:
    return read_python([[parse_source("a.py", content)]], ["a.py"])


_SPACE = Space.of([Option("a", (False, True), False), Option("b", (1, 5, 9), 5)], ["a implies b >= 5"])
_RANGES = (b"v1..v2", b"HEAD~3..", b"^HEAD main", b"..HEAD", b"main^!", b"HEAD^{/a}", b"v1..main~2", b"@{0}")
_TYPED = (
    *(b"v1.0..v2.0", b"HEAD~3..", b"^HEAD main", b"..HEAD", b"a,!b", b"b=5,a", b"all", b"3%", b"2h", b"200"),
    *(b"a implies not b", b"at most one of a, b", b"b >= 5 or (a and b = 1)"),
)


def _read_typed(content: bytes) -> object:
    """What is typed on the command line: a configuration, a budget, a threshold, a constraint."""
    text = content.decode(errors="surrogateescape")
    for read in (
        lambda: _SPACE.parse(text),
        lambda: parse_budget(text),
        lambda: parse_threshold(text),
        lambda: parse_catch(text),
        lambda: parse_stopping(text),
        lambda: Space.of(_SPACE.options, [text]),
    ):
        try:
            read()
        except UserError:
            continue
    return None


@cache
def _repository() -> Repository:
    """A history of a few revisions with names."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder)
    maker = linear(5)
    maker.tag("v1", 2)
    maker.tag("v2", 4)
    maker.make(folder / "subject")
    return open_repository(folder / "subject")


def _read_range(content: bytes) -> object:
    """Words of a command line hold no zero byte, and may hold bytes that are no Unicode."""
    return _repository().read_history(os.fsdecode(content.replace(b"\0", b"")), branch="main")


@cache
def _stores() -> Sequence[bytes]:
    """A store with records of most kinds."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "store.sqlite"
        with open_store(file) as store:
            store.append(*records(20))
        return [file.read_bytes()]


def _read_store(file: Path) -> object:
    with open_store(file) as store:
        return [list(store.query(kind, {})) for kind in TABLES]


def _repair(file: Path) -> object:
    repair_store(file)
    assert is_sound(file)
    return _read_store(file)


_POINTS = b"revision,configuration,benchmark,value\n" + b"".join(
    b"%d,%d,pack,%d.5\n" % (revision, configuration, revision * 7 + configuration)
    for revision in range(6)
    for configuration in range(3)
)
_ANSWER = (
    b'{"code":0,"timed_out":false,"exceeded":"","seconds":0.25,"left_behind":0,'
    b'"head":"6f75740a","tail":"","size_bytes":4}'
)
_UNITS = (
    b'[{"directory": "/sonde/build", "file": "a.c", "command": "cc -O2 -DX=1 -I inc @words -c a.c -o a.o"},\n'
    b'{"directory": "/sonde/build/sub", "file": "../b.cc", "arguments": ["c++", "-x", "c++", "../b.cc"]}]\n'
)
_DIMACS = b"c 1 a\nc 2 b\nc 3 c\np cnf 3 3\n1 0\n-2 3 0\n-1 2 -3 0\n"

PARSERS = (
    Parser("project file", _project_files, _in_file("sonde.toml", load_project)),
    Parser("ELF", _programs, _in_file("program", _read_program), ()),
    Parser("callgrind", lambda: [TEXT, *_files("golden/runs/callgrind.txt")()], parse_dumps, ()),
    Parser("callgrind by function", lambda: [TEXT], _read_costs, (Garbled,)),
    Parser(
        "bitcode",
        _files("effects/bitcode/reading/*.ll"),
        lambda text: read_module(text.decode(errors="replace"), None),
    ),
    Parser("Python", _files("python_programs/**/*.py"), _read_python, (UnreadablePython,)),
    Parser("UVL", lambda: [PACKER_UVL.encode()], _in_file("model.uvl", read_model)),
    Parser("SPLConqueror", lambda: [PACKER_XML.encode()], _in_file("model.xml", read_model)),
    Parser("DIMACS", lambda: [_DIMACS], _in_file("model.dimacs", read_model)),
    Parser("recording", lambda: [_POINTS], _in_file("points.csv", lambda file: read_recording(file.parent))),
    Parser("command line", lambda: _TYPED, _read_typed, ()),
    Parser("range", lambda: _RANGES, _read_range),
    Parser("store", _stores, _in_file("store.sqlite", _read_store)),
    Parser("repair", _stores, _in_file("store.sqlite", _repair), (CorruptStore,)),
    Parser(
        "compile commands",
        lambda: [_UNITS],
        _in_file("compile_commands.json", lambda file: from_compile_commands(file, file.parent, TREE)),
        (),
    ),
    Parser(
        "answers",
        lambda: [_ANSWER],
        lambda text: answers.checked(answers.parsed(text), COMMAND.answer),
        (answers.NotUnderstood,),
    ),
)
