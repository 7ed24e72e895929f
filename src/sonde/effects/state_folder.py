"""The folder `.sonde`: where everything lies, and the claim that one process has on it."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import AnotherSonde, StoreNotWritable
from sonde.effects.half_made import remove_leftovers
from sonde.effects.subject_files import discard


@dataclass(frozen=True)
class StateFolder:
    """The places below the state folder of a project."""

    path: Path

    @property
    def store(self) -> Path:
        """Every record: the one thing here that cannot be made again."""
        return self.path / "store.sqlite"

    @property
    def builds(self) -> Path:
        """Build outputs by fingerprint."""
        return self.path / "builds"

    @property
    def slots(self) -> Path:
        """Work trees, switched from revision to revision."""
        return self.path / "slots"

    @property
    def scratch(self) -> Path:
        """Folders of runs that are under way."""
        return self.path / "scratch"

    @property
    def compiler_cache(self) -> Path:
        """What ccache keeps."""
        return self.path / "ccache"

    @property
    def bitcode(self) -> Path:
        """Units by the digests of their texts, and which of them builds consist of."""
        return self.path / "bitcode"

    def prepare(self) -> None:
        """Make the folder if it is not there; git does not see it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not (self.path / ".gitignore").exists():
                (self.path / ".gitignore").write_text("*\n")
        except OSError as error:
            raise StoreNotWritable(
                f"{self.path}: cannot be written ({error.strerror}). Free disk space, correct the "
                "permissions, or name another folder with --state."
            ) from error

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Be the only process that builds and measures here; what a killed one left behind is removed.

        The claim ends with the process, however it ends: the kernel lets go of the lock.
        """
        self.prepare()
        with (self.path / "lock").open("a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                raise AnotherSonde(f"{self.path}: {_owner(lock.read())}") from None
            discard(self.scratch)
            for folder in self.path.iterdir():
                remove_leftovers(folder)
            lock.truncate(0)
            lock.write(json.dumps({"process": os.getpid(), "words": sys.argv[1:], "since": time.time()}))
            lock.flush()
            yield
            lock.truncate(0)


def _owner(text: str) -> str:
    remedy = "Wait until it has ended, or stop it; `sonde show` works meanwhile."
    try:
        owner = json.loads(text)
        since = time.strftime("%H:%M:%S", time.localtime(owner["since"]))
        words = " ".join(["sonde", *owner["words"]])
        return (
            f"another Sonde (process {owner['process']}, `{words}`) is working here since {since}. {remedy}"
        )
    except (
        ValueError,
        LookupError,
        TypeError,
        OverflowError,
    ):  # it has not written yet, or somebody else has
        return f"another Sonde is working on this project. {remedy}"
