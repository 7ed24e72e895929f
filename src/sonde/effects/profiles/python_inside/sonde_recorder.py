"""Profiles the Python process that imports it at its start.

It writes one file a process to the folder that SONDE_PROFILES names: an empty one when the process begins,
which is filled when it ends. One that stays empty is of a process that was killed. To write it on a signal
would not do: a handler of Python's own may wait for ever for a process that waits for a lock. What finalizers
do when the interpreter has gone through its modules is written to a second file, the last thing of all.
"""

# pathlib and contextlib take long to import, and this process is not ours.
# ruff: noqa: PTH105, PTH109, PTH118, PTH119, PTH120, PTH123

from __future__ import annotations

import _thread
import atexit
import cProfile
import gc
import json
import os
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType
    from typing import Any

    from sonde.effects.profiles.python_inside.sonde_hearing import (
        Hearing,
        mentions_docstrings,
        mentions_lines,
    )
else:
    from sonde_hearing import Hearing, mentions_docstrings, mentions_lines

FOLDER = "SONDE_PROFILES"
REAL_PROFILE = sys.getprofile
UNSEEN = ("greenlet", "_xxsubinterpreters", "_interpreters")  # run Python where a profiler does not look
IS_FUNCTION = 1  # the flag CO_OPTIMIZED: neither a module nor the body of a class


def interpreter() -> str:
    """What decides to which code objects a source is compiled."""
    name = f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"
    return f"{name} -{'O' * sys.flags.optimize}" if sys.flags.optimize else name


class Recorder:
    """The profile of this process."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.began_in = os.getcwd()
        self.profilers: list[cProfile.Profile] = []
        self.hearing = Hearing(sys.argv[0] if getattr(sys, "argv", None) else "")
        self.aspects: dict[CodeType, tuple[bool, bool]] = {}  # of modules and bodies of classes
        self.gap = ""  # why functions may be missing
        self.file = ""

    def begin(self) -> None:
        """Start in a new process."""
        for profiler in self.profilers:  # those of the process that forked this one
            profiler.disable()
        self.profilers.clear()
        self.hearing.begin()
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
            if not self.profilers:
                self.gap = "another profiler was there before"
            return
        self.profilers.append(profiler)

    def end_thread(self) -> None:
        """Make sure that what this thread did was seen."""
        active: Any = REAL_PROFILE()
        if sys.version_info < (3, 12) and active not in self.profilers:
            self.gap = "another profiler took the place of Sonde's"

    def write(self, is_last: bool = True) -> None:
        """Write down what is known, and go on."""
        self.end_thread()
        active: Any = REAL_PROFILE() if sys.version_info < (3, 12) else self.profilers[:1]
        for profiler in tuple(self.profilers):
            profiler.disable()
            for entry in profiler.getstats():
                if not isinstance(entry.code, str) and not entry.code.co_flags & IS_FUNCTION:
                    self.aspects[entry.code] = mentions_docstrings(entry.code), mentions_lines(entry.code)
        unseen = [name for name in UNSEEN if name in sys.modules]
        seen = {
            **self.hearing.told(),
            "file": os.path.basename(self.file),
            "files": sorted({*self.modules(), *mapped_files()}),
            "library": os.path.dirname(os.__file__),
            "interpreter": interpreter(),
            "gap": self.gap or (f"{unseen[0]} runs code that no profiler sees" if unseen else ""),
            "is_last": is_last,
        }
        with open(f"{self.file}.new", "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.write(f'{json.dumps(seen)[:-1]}, "functions": {self.functions()}}}')
        os.replace(f"{self.file}.new", self.file)
        for profiler in active if isinstance(active, list) else [active]:
            if isinstance(profiler, cProfile.Profile):
                profiler.enable()

    def write_before_end(self) -> None:
        """Write down what is known, and let the rest be written when finalizers have run."""
        self.write(is_last=False)
        self.hearing.is_over = True
        # It goes when `sys` does, which is after all other modules.
        sys.sonde_ending = Ending(self)  # type: ignore[attr-defined]

    def functions(
        self,
        quoted: Callable[[str], str] = json.encoder.encode_basestring_ascii,
        docstrings: Callable[[CodeType], bool] = mentions_docstrings,
        lines: Callable[[CodeType], bool] = mentions_lines,
        is_function: int = IS_FUNCTION,
    ) -> str:
        """A row for each function, in JSON; it uses no module, for all may be gone."""
        rows = []
        for profiler in self.profilers:
            for entry in profiler.getstats():
                code: Any = entry.code
                numbers = f"{entry.callcount}, {entry.inlinetime}, {entry.totaltime}"
                if isinstance(code, str):
                    rows.append(f'["", {quoted(code)}, {numbers}, 0, 0]')
                    continue
                file = code.co_filename
                if not file.startswith(("<", "/")):
                    file = f"{self.began_in}/{file}"
                name = getattr(code, "co_qualname", code.co_name)
                if code.co_flags & is_function:
                    aspects = docstrings(code), lines(code)
                else:
                    aspects = self.aspects.get(code, (False, False))
                numbers = f"{numbers}, {aspects[0]:d}, {aspects[1]:d}"
                rows.append(f"[{quoted(file)}, {quoted(name)}, {numbers}]")
        return f"[{', '.join(rows)}]"

    def modules(self) -> set[str]:
        """The files of all modules."""
        files = (getattr(module, "__file__", None) for module in tuple(sys.modules.values()))
        return {os.path.join(self.began_in, file) for file in files if isinstance(file, str)}

    def get_profile(self) -> None:
        """What `sys.getprofile` says to the program: that nobody profiles it."""

    def set_profile(self, func: Any) -> None:
        """What `sys.setprofile` does: nothing; a function to profile with is not called, so it is missing."""
        if func is not None:
            self.gap = "the program profiles itself"


class Ending:
    """Writes what finalizers did, when it is finalized itself."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.file = os.open(f"{recorder.file}.end", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def __del__(
        self,
        collect: Callable[[], int] = gc.collect,
        write: Callable[[int, bytes], int] = os.write,
    ) -> None:
        """Let everything go that is left, and write; modules cannot be used any more."""
        collect()
        content = self.recorder.functions().encode()
        while content:
            content = content[write(self.file, content) :]


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
        def watched(*given: Any, **more: Any) -> Any:
            recorder.begin_thread()
            try:
                return function(*given, **more)
            finally:
                recorder.end_thread()

        return start(watched, *arguments)

    _thread.start_new_thread = start_watched
    if hasattr(threading, "_start_new_thread"):
        threading._start_new_thread = start_watched
    sys.getprofile = recorder.get_profile  # pytest-benchmark would have us pause
    sys.setprofile = threading.setprofile = recorder.set_profile
    os.register_at_fork(after_in_child=recorder.begin)
    atexit.register(recorder.write_before_end)
    for leaving in ("_exit", "execv", "execve"):  # other ways to begin a program call these
        setattr(os, leaving, before(getattr(os, leaving), recorder.write))
    recorder.begin()
    recorder.hearing.begin_late()
    sys.meta_path.insert(0, recorder.hearing)
    sys.addaudithook(recorder.hearing.hear)


if FOLDER in os.environ:
    watch(Recorder(os.environ[FOLDER]))
