"""Many git objects through one process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from sonde.core.errors import MissingTool
from sonde.effects.git.program import GIT_IS_MISSING, Git, GitFailed

# The questions of one turn fit even into the smallest pipe (4096 bytes), so that git and we never wait for
# each other: 40 ids of 64 letters with `^{tree}`.
_QUESTIONS_A_TURN = 40


class StoredObject(NamedTuple):
    """An object of git."""

    id: str
    content: bytes


class ObjectReader:
    """Answers questions for objects, in order. Get one from `open_objects`."""

    def __init__(self, process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
        self._process = process
        self._complaints = complaints

    def read(self, names: Iterable[str]) -> Iterator[StoredObject]:
        """The objects with these names; raises `GitFailed` at the first that is missing or damaged."""
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None
        assert answers is not None
        rest = iter(names)
        while turn := list(islice(rest, _QUESTIONS_A_TURN)):
            try:
                os.write(questions.fileno(), "".join(f"{name}\n" for name in turn).encode())
            except BrokenPipeError:
                raise self._failure("git ended early") from None
            for name in turn:
                yield self._answer(answers, name)

    def _answer(self, answers: IO[bytes], name: str) -> StoredObject:
        header = answers.readline().decode().split()
        if len(header) != 3:
            raise self._failure(f"missing object {name}" if header else f"git ended early, at {name}")
        content = answers.read(int(header[2]))
        if answers.read(1) != b"\n":
            raise self._failure(f"git ended early, at {name}")
        return StoredObject(header[0], content)

    def _failure(self, otherwise: str) -> GitFailed:
        self._process.kill()
        code = self._process.wait()
        self._complaints.seek(0)
        said = self._complaints.read().decode(errors="replace").strip()
        return GitFailed(("cat-file",), code, said or otherwise)


@contextmanager
def open_objects(git: Git) -> Iterator[ObjectReader]:
    """A reader of objects, which ends with the block."""
    with TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(
                git.words("cat-file", "--batch"),
                cwd=git.git_dir,
                env=git.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
            )
        except FileNotFoundError:
            raise MissingTool(GIT_IS_MISSING) from None
        with process:
            try:
                yield ObjectReader(process, complaints)
            finally:
                process.kill()
