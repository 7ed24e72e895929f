"""Which file of the build, or of the machine, a path in a run means."""

from __future__ import annotations

import posixpath
import re
from functools import cached_property
from pathlib import Path

from sonde.effects.profiles.digests import digest_file
from sonde.effects.runs.instruments import RunFolders
from sonde.effects.runs.orders import BUILD, METER, SCRATCH

_MAGIC = b"\x7fELF"
_SLASHES = re.compile(r"/(?:\.?/)+")  # more than one mean the same
_OF_PROCESS = r"/proc/(?:self|thread-self|\d+)(?:/task/\d+)?"
_ROOT = re.compile(rf"{_OF_PROCESS}/root(?=/|$)")
_FOLDER = re.compile(rf"(?:{_OF_PROCESS}/(?:cwd|fd/\d+)|/dev/fd/\d+)/")


class RunPaths:
    """The paths of one run."""

    def __init__(self, scene: RunFolders) -> None:
        self._scene = scene
        self._builds = (scene.place(BUILD), str(scene.build))  # the second where links are followed
        self._scratches = (SCRATCH, scene.place(SCRATCH), str(scene.scratch.resolve()))
        self._meters = (scene.place(METER), str(scene.meter.resolve()))
        self._programs: dict[str, bool] = {}

    @cached_property
    def outputs(self) -> frozenset[str]:
        """All files of the build."""
        files = (file for file in self._scene.build.rglob("*") if file.is_file())
        return frozenset(file.relative_to(self._scene.build).as_posix() for file in files)

    def output(self, path: str) -> str | None:
        """The path below the build; `.` is the build itself, and None is elsewhere."""
        return _below(path, self._builds)

    def original(self, path: str) -> str | None:
        """The output of which a file in the scratch folder is a copy."""
        below = _below(path, self._scratches)
        return None if below is None else self._originals.get(digest_file(self._scene.scratch / below))

    def is_folder(self, output: str) -> bool:
        """Whether it is a folder of the build."""
        return (self._scene.build / output).is_dir()

    def is_program(self, output: str) -> bool:
        """Whether an output is a program or a library."""
        if output not in self._programs:
            self._programs[output] = is_elf(self._scene.build / output)
        return self._programs[output]

    def is_of_scratch(self, path: str) -> bool:
        """Whether it lies in the working folder of the run."""
        return _below(path, self._scratches) is not None

    def is_input(self, path: str) -> bool:
        """Whether it is a file of the benchmark, which appears in the working folder."""
        below, inputs = _below(path, self._scratches), self._scene.inputs
        return below is not None and inputs is not None and (inputs / below).is_file()

    def is_of_meter(self, path: str) -> bool:
        """Whether it belongs to the instrument."""
        return _below(path, self._meters) is not None

    def outside(self, path: str) -> str:
        """The same path, but below SCRATCH wherever that folder was."""
        below = _below(path, self._scratches)
        return path if below is None else f"{SCRATCH}/{below}"

    def on_machine(self, path: str) -> Path:
        """Where the file lies now."""
        below = _below(path, self._scratches)
        return Path(path) if below is None else self._scene.scratch / below

    def in_build(self, output: str) -> Path:
        """Where an output lies."""
        return self._scene.build / output

    @cached_property
    def _originals(self) -> dict[str, str]:
        return {digest_file(self._scene.build / output): output for output in sorted(self.outputs)}


def plain(path: str) -> str:
    """The same path without the ways that lead through a process.

    It does not begin at the root if that is where a process works, or a folder that it has opened.
    """
    path = _SLASHES.sub("/", path)
    if folder := _FOLDER.match(path):
        return posixpath.normpath(path[folder.end() :])
    if root := _ROOT.match(path):
        return plain(path[root.end() :] or "/")
    return posixpath.normpath(path) if path else path


def is_elf(file: Path) -> bool:
    """Whether a plain file is there and holds a program or a library; a pipe is never opened."""
    try:
        if not file.is_file():
            return False
        with file.open("rb") as content:
            return content.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _below(path: str, folders: tuple[str, ...]) -> str | None:
    path = plain(path)
    for folder in folders:
        if path == folder:
            return "."
        if path.startswith(f"{folder}/"):
            return path[len(folder) + 1 :]
    return None
