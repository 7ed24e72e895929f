"""What a Python process looks at beside what it executes: modules, files, and its own functions."""

# pathlib takes long to import, and this process is not ours.
# ruff: noqa: PTH100

from __future__ import annotations

import opcode
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, FrameType
    from typing import Any

IMPORTING = "<frozen importlib"
RUNNING = ("_get_module_details", "_get_main_module_details", "_get_code_from_file")  # of runpy

DOCSTRINGS = frozenset({"__doc__", "getdoc", "co_consts"})
LINES = frozenset(
    {"co_firstlineno", "co_lines", "co_linetable", "co_lnotab", "co_positions", "f_lineno", "tb_lineno"}
)
# Instructions that take a name, and how many bits of their number have another meaning.
SHIFTS = {"LOAD_GLOBAL": ((3, 11), 1), "LOAD_ATTR": ((3, 12), 1), "LOAD_SUPER_ATTR": ((3, 12), 2)}
NAMING = dict.fromkeys(set(opcode.hasname) - {opcode.opmap["STORE_NAME"]}, 0)
NAMING.update(
    {
        opcode.opmap[name]: bits
        for name, (since, bits) in SHIFTS.items()
        if name in opcode.opmap and sys.version_info >= since
    }
)
EXTENDED = opcode.EXTENDED_ARG


class Hearing:
    """What was looked for, opened and listed in this process."""

    def __init__(self, script: str) -> None:
        self.script = script  # what Python runs
        self.is_over = False  # modules may be gone
        self.begin()

    def begin(self) -> None:
        """Start in a new process."""
        self.asked: set[str] = set()  # names of modules
        self.imported: dict[str, int] = {}  # how often the file of a module was opened to import it
        self.read: set[str] = set()  # files of modules that were opened for something else
        self.listed: set[str] = set()  # folders
        self.listings: dict[str, int] = {}  # how often a folder was listed, be it to find a module

    def begin_late(self) -> None:
        """Start in a process that has imported modules before."""
        self.begin()
        for folder, finder in sys.path_importer_cache.items():
            if getattr(finder, "_path_mtime", -1) != -1:  # it has listed the folder
                self.listings[os.path.abspath(folder)] = 1

    def told(self) -> dict[str, Any]:
        """All of it, as it is written down."""
        names = {*self.asked, *sys.modules}
        return {
            "asked": sorted({word for name in names for word in name.split(".")}),
            "imported": self.imported,
            "read": sorted(self.read),
            "listed": sorted(self.listed),
            "listings": self.listings,
        }

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Note which modules are asked for, as the first of all finders; it finds none."""
        self.asked.add(name)
        return None

    def hear(self, event: str, arguments: Sequence[Any]) -> None:
        """Note what the interpreter tells, as it is about to do it."""
        if self.is_over:
            return
        if event == "import":
            self.asked.add(arguments[0])
        elif event == "open":
            self.hear_opening(arguments[0])
        elif event in ("os.listdir", "os.scandir"):
            self.hear_listing("." if arguments[0] is None else arguments[0])

    def hear_opening(self, file: Any) -> None:
        """Note a Python file, and whether an import opens it."""
        if isinstance(file, int):
            return
        name = os.fsdecode(file)
        if not name.endswith(".py"):
            return
        try:
            is_import = is_importing(sys._getframe(2))
        except ValueError:  # nobody called: it is the interpreter itself
            is_import, self.script = name == self.script, ""
        name = os.path.abspath(name)
        if is_import:
            self.imported[name] = self.imported.get(name, 0) + 1
        else:
            self.read.add(name)

    def hear_listing(self, folder: Any) -> None:
        """Note a folder; an import lists it only to find modules by their names."""
        if isinstance(folder, int):
            return
        name = os.path.abspath(os.fsdecode(folder))
        self.listings[name] = self.listings.get(name, 0) + 1
        if not sys._getframe(2).f_code.co_filename.startswith(IMPORTING):
            self.listed.add(name)


def is_importing(frame: FrameType) -> bool:
    """Whether a file that is opened here will be executed, and nothing else is done with it."""
    code = frame.f_code
    if code.co_filename == "<frozen zipimport>":  # it only looks whether this is an archive
        return True
    loading = frame.f_back
    if loading is None:
        return False
    running = loading.f_back
    if not code.co_filename.startswith(IMPORTING):
        return is_of_runpy(frame)
    names = (code.co_name, loading.f_code.co_name)
    if names != ("get_data", "get_code") or running is None:
        return False
    caller = running.f_code
    is_import = caller.co_name == "exec_module" and caller.co_filename.startswith(IMPORTING)
    return is_import or is_of_runpy(running)


def is_of_runpy(frame: FrameType) -> bool:
    """Whether a file is opened to be run by `python -m` or its kin."""
    code = frame.f_code
    is_there = code.co_filename == "<frozen runpy>" or code.co_filename.endswith("/runpy.py")
    return is_there and code.co_name in RUNNING


def uses(
    code: CodeType, wanted: frozenset[str], naming: dict[int, int] = NAMING, extended: int = EXTENDED
) -> bool:
    """Whether it does more with one of these names than to define it, as a docstring does."""
    found = [number for number, name in enumerate(code.co_names) if name in wanted]
    content, high = code.co_code, 0
    for at in range(0, len(content), 2):
        number = high | content[at + 1]
        high = number << 8 if content[at] == extended else 0
        if content[at] in naming and number >> naming[content[at]] in found:
            return True
    return False


def mentions_docstrings(
    code: CodeType,
    wanted: frozenset[str] = DOCSTRINGS,
    uses: Callable[[CodeType, frozenset[str]], bool] = uses,
) -> bool:
    """Whether a function may read docstrings; it uses no module, for all may be gone."""
    for constant in code.co_consts:
        words = constant if isinstance(constant, tuple) else (constant,)
        for word in words:
            if isinstance(word, str) and word in wanted:
                return True
    return not wanted.isdisjoint(code.co_names) and uses(code, wanted)


def mentions_lines(code: CodeType, wanted: frozenset[str] = LINES) -> bool:
    """Whether a function may read line numbers; it uses no module, for all may be gone."""
    return not wanted.isdisjoint(code.co_names)
