"""Runs commands of Sonde in processes of their own, without importing it for each of them.

To import Sonde takes longer than most commands on small subjects. `WarmSonde` starts this file once as a
program. It imports what commands need, and forks for each one that it reads from its standard input.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict


class Order(TypedDict):
    """What is to be run, and the files that its output goes to."""

    folder: str
    words: list[str]
    environment: dict[str, str]
    streams: list[str]


class WarmSonde:
    """`run` does what `subprocess.run` with the words of a command does."""

    def __init__(self) -> None:
        self._outputs = TemporaryDirectory()
        self._server = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(
        self, folder: Path, words: tuple[str, ...], environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """How `sonde` with these words ended in a folder."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        streams = [Path(self._outputs.name, name) for name in ("stdout", "stderr")]
        order: Order = {
            "folder": str(Path(folder).absolute()),
            "words": list(words),
            "environment": dict(environment),
            "streams": [str(each) for each in streams],
        }
        self._server.stdin.write(json.dumps(order) + "\n")
        self._server.stdin.flush()
        code = int(self._server.stdout.readline())
        return subprocess.CompletedProcess(["sonde", *words], code, *(each.read_text() for each in streams))

    def end(self) -> None:
        """End the program and forget the outputs."""
        self._server.communicate()
        self._outputs.cleanup()


@cache
def warm_sonde() -> WarmSonde:
    """The one of this process."""
    warm = WarmSonde()
    atexit.register(warm.end)
    return warm


def _serve() -> None:
    """Answer each order with the exit code of its process; return in that process, ready to run."""
    from sonde import cli, report, workflows

    for package in (cli, report, workflows):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    gc.freeze()  # so that no process looks for garbage in what all of them share
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            _become(json.loads(line))
            return
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    os._exit(0)


def _become(order: Order) -> None:
    """Be the process that `subprocess` would have begun."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["sonde", *order["words"]]
    for number, name in enumerate([os.devnull, *order["streams"]]):
        opened = os.open(name, os.O_RDONLY if number == 0 else _WRITING, 0o600)
        os.dup2(opened, number)
        os.close(opened)


_WRITING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND

if __name__ == "__main__":
    _serve()
    from sonde.cli import main

    main()
