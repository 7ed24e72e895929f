"""Profiles the Python process that imports it at its start.

It writes one file a process to the folder that SONDE_PROFILES names: an empty one when the process begins,
which is filled when it ends. One that stays empty is of a process that was killed. To write it on a signal
would not do: a handler of Python's own may wait for ever for a process that waits for a lock.
"""

# pathlib and contextlib take long to import, and this process is not ours.
# ruff: noqa: PTH100, PTH105, PTH109, PTH118, PTH123

from __future__ import annotations

import _thread
import atexit
import cProfile
import json
import os
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType
    from typing import Any

FOLDER = "SONDE_PROFILES"
REAL_PROFILE = sys.getprofile


class Recorder:
    """The profile of this process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.began_in = os.getcwd()
        self.profilers: list[cProfile.Profile] = []
        self.asked: set[str] = set()  # names of modules
        self.listed: set[str] = set()  # folders
        self.is_whole = True
        self.file = ""

    def begin(self) -> None:
        """Start in a new process."""
        self.profilers.clear()
        self.file = self.new_file()
        self.begin_thread()

    def new_file(self) -> str:
        """An empty file of this process; it has more than one if it became another program."""
        number = 0
        while True:
            file = os.path.join(self.folder, f"{os.getpid()}.{number}")
            try:
                os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            except FileExistsError:
                number += 1
            else:
                return file

    def begin_thread(self) -> None:
        """Start in a new thread; from Python 3.12 on one profiler sees all threads."""
        profiler = cProfile.Profile()
        try:
            profiler.enable()
        except ValueError:
            self.is_whole = self.is_whole and bool(self.profilers)
            return
        self.profilers.append(profiler)

    def write(self) -> None:
        """Write down what is known, and go on."""
        active: Any = REAL_PROFILE()
        if sys.version_info < (3, 12) and active not in self.profilers:
            self.is_whole = False  # another one took our place
        rows: dict[tuple[str, str], list[float]] = {}
        for profiler in tuple(self.profilers):
            profiler.disable()
            for entry in profiler.getstats():
                row = rows.setdefault(self.name(entry.code), [0, 0.0, 0.0])
                row[0] += entry.callcount
                row[1] += entry.inlinetime
                row[2] += entry.totaltime
        seen = {
            "functions": [[*name, *row] for name, row in rows.items()],
            "files": sorted({*self.modules(), *mapped_files()}),
            "asked": sorted(self.asked),
            "listed": sorted(self.listed),
            "path": [os.path.join(self.began_in, folder) for folder in sys.path],
            "is_whole": self.is_whole,
        }
        with open(f"{self.file}.new", "w", encoding="utf-8", errors="surrogateescape") as stream:
            json.dump(seen, stream)
        os.replace(f"{self.file}.new", self.file)
        if isinstance(active, cProfile.Profile):
            active.enable()

    def name(self, code: CodeType | str) -> tuple[str, str]:
        """The file and the name of a function; no file for one that is not written in Python."""
        if isinstance(code, str):
            return "", code
        file = code.co_filename
        if not file.startswith("<"):
            file = os.path.join(self.began_in, file)
        return file, getattr(code, "co_qualname", code.co_name)

    def modules(self) -> set[str]:
        """The files of all modules."""
        files = (getattr(module, "__file__", None) for module in tuple(sys.modules.values()))
        return {os.path.join(self.began_in, file) for file in files if isinstance(file, str)}

    def hear(self, event: str, arguments: Sequence[Any]) -> None:
        """Note which folders are listed; an import does so only to find modules by their names."""
        if event in ("os.listdir", "os.scandir"):
            folder = arguments[0]
            is_import = sys._getframe(1).f_code.co_filename.startswith("<frozen importlib")
            if isinstance(folder, str) and not is_import:
                self.listed.add(os.path.abspath(folder))

    def get_profile(self) -> None:
        """What `sys.getprofile` says to the program: that nobody profiles it."""

    def set_profile(self, func: Any) -> None:
        """What `sys.setprofile` does: nothing; a function to profile with is not called, so it is missing."""
        self.is_whole = self.is_whole and func is None

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Note which modules are asked for, as the first of all finders; it finds none."""
        self.asked.add(name)
        return None


def mapped_files() -> set[str]:
    """The files whose machine code is in memory."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        fields = [line.rstrip("\n").split(maxsplit=5) for line in maps]
    return {field[5] for field in fields if len(field) == 6 and "x" in field[1] and field[5].startswith("/")}


def before(function: Callable[..., Any], act: Callable[[], None]) -> Callable[..., Any]:
    """A function that acts before it does what it did."""

    def both(*arguments: Any, **more: Any) -> Any:
        act()
        return function(*arguments, **more)

    return both


def watch(recorder: Recorder) -> None:
    """Profile this process until it ends, its threads, and the processes that it forks."""
    start = _thread.start_new_thread

    def start_watched(function: Callable[..., Any], *arguments: Any) -> int:
        return start(before(function, recorder.begin_thread), *arguments)

    _thread.start_new_thread = start_watched
    if hasattr(threading, "_start_new_thread"):
        threading._start_new_thread = start_watched
    sys.getprofile = recorder.get_profile  # pytest-benchmark would have us pause
    sys.setprofile = threading.setprofile = recorder.set_profile
    os.register_at_fork(after_in_child=recorder.begin)
    atexit.register(recorder.write)
    for leaving in ("_exit", "execv", "execve"):  # other ways to begin a program call these
        setattr(os, leaving, before(getattr(os, leaving), recorder.write))
    sys.meta_path.insert(0, recorder)
    sys.addaudithook(recorder.hear)
    recorder.begin()


if FOLDER in os.environ:
    watch(Recorder(os.environ[FOLDER]))
