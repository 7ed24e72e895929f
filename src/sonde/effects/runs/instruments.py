"""What watches a run: a meter, which counts, or a profiler, which tells what was executed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

Seen = TypeVar("Seen")
Seen_co = TypeVar("Seen_co", covariant=True)

MOST_LOGS, LOG_BYTES = 100, 1 << 16  # that are looked through for what an instrument complains of

Words = tuple[str, ...]
Variables = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RunFolders:
    """Where a run has happened. The folders are gone when its instrument has been read."""

    meter: Path  # where the instrument wrote
    scratch: Path  # the working folder of the run
    build: Path  # the outputs, without links
    place: Callable[[str], str]  # a target -> the path that the run saw
    inputs: Path | None = None  # files of the benchmark, which appear in the working folder


@dataclass(frozen=True)
class Watched(Generic[Seen]):
    """A run that ended well, and what its instrument saw of it."""

    seen: Seen
    seconds: float
    left_behind: int  # processes that the benchmark left, and that had to be ended


class Instrument(Protocol[Seen_co]):
    """Watches the measured run, not its setup, server and teardown."""

    @property
    def writes(self) -> bool:
        """Whether the run sees the folder METER."""

    @property
    def programs(self) -> Words:
        """What of the folder METER the run cannot write: programs and modules of the instrument."""

    @property
    def variables(self) -> Variables:
        """What every command of the run finds in its environment, beside what it is meant to find."""

    @property
    def around_gauge(self) -> Words:
        """Words before the gauge, which then is needed; none if the gauge is the outermost."""

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The words that run `argv` and watch it."""

    def attached(self, meter: Path, appears_as: str) -> AbstractContextManager[None]:
        """While it runs, `meter` has what the run needs; it appears as a path to the run."""

    def read(self, scene: RunFolders) -> Seen_co | str:
        """What it saw of a run that ended well, or why nothing can be said."""

    def read_complaints(self, meter: Path) -> str:
        """What the instrument itself printed, for the user to read when the run has failed."""


@dataclass(frozen=True)
class Unwatched:
    """Sees nothing."""

    writes: bool = False
    programs: Words = ()
    variables: Variables = ()
    around_gauge: Words = ()

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The same words."""
        return argv

    def attached(self, meter: Path, appears_as: str) -> AbstractContextManager[None]:
        """Nothing."""
        return nullcontext()

    def read(self, scene: RunFolders) -> None:
        """Nothing."""

    def read_complaints(self, meter: Path) -> str:
        """Nothing."""
        return ""


def join_complaints(files: Sequence[Path], is_usual: Callable[[str], bool]) -> str:
    """The lines of the files, without the usual ones. The run can have written what it likes to them."""
    lines = (line for file in files[:MOST_LOGS] for line in _beginning(file).splitlines())
    return "\n".join(line for line in lines if not is_usual(line))


def _beginning(file: Path) -> str:
    with file.open("rb") as log:
        return log.read(LOG_BYTES).decode(errors="replace")
