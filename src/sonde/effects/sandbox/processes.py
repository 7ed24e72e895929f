"""Runs commands so that none of their processes outlives them, nor Sonde.

Every command runs under a small program (`inside`), in the sandbox if there is one, which talks with us
through a socket. It ends all that the command left behind; and when the socket closes, because we want it
or because Sonde was killed, it ends everything.
"""

from __future__ import annotations

import compileall
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from sonde.core.errors import MissingTool
from sonde.effects.sandbox import answers
from sonde.effects.sandbox.bare import BARE
from sonde.effects.sandbox.conversation import PATIENCE_SECONDS, Conversation, Meet
from sonde.effects.sandbox.ended import Ended
from sonde.effects.sandbox.limiting import limits_of
from sonde.effects.sandbox.worlds import EMPTY, Mount, Sandbox, SandboxView

KEEP_BYTES = 1 << 16
INSIDE = Path(__file__).with_name("inside")
# That of a virtual environment is not seen inside the sandbox.
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
START = "import sys; sys.path[:0] = sys.argv[3:]; __import__(sys.argv[2]).main(int(sys.argv[1]))"


class Abandoned(Exception):
    """`Processes.end_all` was called: what ran has no result, not even a failure."""


@dataclass(frozen=True)
class InsideProgram:
    """A program that runs inside: a module with a function `main`."""

    module: str
    folder: Path  # where the module lies; those of `inside` can be imported as well
    answer: TypeAdapter[Any]  # what it answers
    starter: tuple[str, ...] = ()  # words before the Python's own


@dataclass(frozen=True)
class Lost:
    """A program inside that ended, or had to be ended, without a report."""

    complaint: str


COMMAND = InsideProgram("command", INSIDE, TypeAdapter(answers.CommandAnswer))


class Processes:
    """All processes of subjects that run now. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._conversations: set[Conversation] = set()
        self._prepared: set[Path] = set()

    def run(
        self,
        argv: Sequence[str],
        *,
        sandbox: Sandbox = BARE,
        world: SandboxView = EMPTY,
        stdin: str = "",  # a file, as a target; empty: nothing to read
        timeout_seconds: float = 600.0,
        keep_bytes: int = KEEP_BYTES,  # of the beginning, and as many of the end of what is printed
    ) -> Ended:
        """What came of a command; when this returns, none of its processes is left, whatever it forked.

        Targets in `argv`, in the working folder and in the variables are placed by the sandbox. Raises
        Abandoned after `end_all`.
        """
        order = {
            "argv": [sandbox.place(world, word) for word in argv],
            "variables": {name: sandbox.place(world, value) for name, value in world.variables},
            "folder": sandbox.place(world, world.folder),
            "stdin": sandbox.place(world, stdin),
            "timeout_seconds": timeout_seconds,
            "keep_bytes": keep_bytes,
        }
        report = self.converse(COMMAND, order, sandbox, world, timeout_seconds)
        if isinstance(report, Lost):
            return _killed(report)
        return Ended(**report)

    def converse(
        self,
        program: InsideProgram,
        order: dict[str, Any],
        sandbox: Sandbox,
        world: SandboxView,
        timeout_seconds: float,
        meet: Meet | None = None,  # entered when another program is as far as this one
    ) -> dict[str, Any] | Lost:
        """The report of a program inside on an order that takes it so long at the most."""
        self._prepare(program)
        folders = (INSIDE, program.folder)
        tools = tuple(Mount(folder, f"/sonde/inside/{number}") for number, folder in enumerate(folders))
        world = replace(world, mounts=(*world.mounts, *tools))

        order = order | {"limits": limits_of(world.limits, sandbox.folders_in_memory)}

        def argv_for(channel: int, filter_at: int) -> tuple[str, ...]:
            starter = [sandbox.place(world, word) for word in program.starter]
            places = [sandbox.place(world, tool.target) for tool in tools]
            python = (PYTHON, "-I", "-S", "-c", START, str(channel), program.module, *places)
            return sandbox.wrap(replace(world, folder="/"), (*starter, *python), filter_at)

        complaint = misunderstood = ""
        with self._conversation() as conversation:
            try:
                began = conversation.begin(argv_for, {}, sandbox.filter_of(world))
                said = conversation.ask(order, timeout_seconds + PATIENCE_SECONDS, meet) if began else None
                report = None if said is None else answers.checked(said, program.answer)
            except answers.NotUnderstood as reason:
                report, misunderstood = None, f"sonde: {reason}\n"
            finally:
                complaint = conversation.end()
        if conversation.was_interrupted:
            raise Abandoned("the command was ended, because Sonde was asked to stop")
        if not began:
            raise MissingTool(f"No command can be started here: {complaint or 'the sandbox said nothing'}")
        return Lost(f"{misunderstood}{complaint}") if report is None else report

    def end_all(self) -> None:
        """End everything that runs now; each `run` then raises Abandoned."""
        with self._lock:
            for conversation in self._conversations:
                conversation.interrupt()

    @contextmanager
    def _conversation(self) -> Iterator[Conversation]:
        conversation = Conversation()
        with self._lock:
            self._conversations.add(conversation)
        try:
            yield conversation
        finally:
            with self._lock:
                self._conversations.discard(conversation)

    def _prepare(self, program: InsideProgram) -> None:
        """Compile what runs inside, once: it cannot do so itself where it can write nothing."""
        with self._lock:
            for folder in {INSIDE, program.folder} - self._prepared:
                if os.access(folder, os.W_OK):
                    compileall.compile_dir(folder, quiet=2)
                self._prepared.add(folder)


def _killed(lost: Lost) -> Ended:
    head = (lost.complaint or "sonde: the process that supervised the command was killed").encode()
    return Ended(-9, False, 0.0, head, b"", len(head), 0, is_known=False)
