"""The subject as its project file describes it: how it is built, run and varied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sonde.core.options import Option
from sonde.core.points import BenchmarkName
from sonde.core.results import Metric
from sonde.core.revisions import ALWAYS, RevisionId, Span, Timeline


@dataclass(frozen=True)
class Command:
    """A command line, and the part of the history in which it is the right one."""

    line: str
    span: Span = ALWAYS


def command_at(commands: tuple[Command, ...], revision: RevisionId, timeline: Timeline) -> Command | None:
    """The first command whose span covers `revision`, or None if there is none."""
    return next((command for command in commands if timeline.covers(command.span, revision)), None)


@dataclass(frozen=True)
class BuildRecipe:
    """How a revision becomes a build."""

    commands: tuple[
        Command, ...
    ]  # run by a shell; an empty line: nothing to do, the outputs are source files
    outputs: tuple[str, ...]  # path patterns below the root of the work tree
    inputs: tuple[str, ...] = ("**",)  # path patterns; `!pattern` takes files out again; the last match wins
    timeout_seconds: float = 600.0
    network: bool = False
    sees_git: bool = False  # the build reads the history, for instance by `git describe`
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def deciding_inputs(self) -> tuple[str, ...]:
        """The patterns of files that decide what is built; git's attributes change what is checked out."""
        return (*self.inputs, ".gitattributes")


@dataclass(frozen=True)
class Server:
    """A process that a benchmark talks to, started before its runs and ended after them."""

    command: str
    port: int  # on the loopback address; runs begin when it answers
    timeout_seconds: float = 30.0


@dataclass(frozen=True)
class BenchmarkRecipe:
    """How the subject is made to work."""

    name: BenchmarkName
    commands: tuple[Command, ...]
    metric: Metric
    runs: int
    shell: bool = False  # False: the line is split into words as a shell would, and run without one
    setup: str = ""  # run by a shell in the scratch folder, before the warm-up runs
    teardown: str = ""
    warmups: int = 0
    server: Server | None = None
    inputs: tuple[str, ...] = ()  # path patterns below the folder of the project file
    stdin: str = ""  # a file in the scratch folder, such as an input
    pattern: str = ""  # for Metric.PRINTED: a regular expression whose first group is the number
    exit_codes: tuple[int, ...] = (0,)  # what counts as success
    timeout_seconds: float = 300.0
    side_by_side: bool = True  # whether two runs may share a processor when they are compared


@dataclass(frozen=True)
class Surroundings:
    """What a command sees of the machine."""

    variables: tuple[tuple[str, str], ...] = ()
    aslr: bool = False  # whether addresses are random in each run
    readable: tuple[str, ...] = ()  # absolute paths, beside the system's
    writable: tuple[str, ...] = ()
    label: str = ""  # tells machines apart that look alike


@dataclass(frozen=True)
class Limits:
    """How much a build or a run may take, with all processes that it begins."""

    processes: int = 4096
    memory_bytes: int = 0  # folders in memory included; 0: three quarters of what the machine has
    file_bytes: int = 16 * 10**9  # of a single file
    open_files: int = 65_536  # of a single process
    outputs_bytes: int = 2 * 10**9  # of all outputs of a build


USUAL_LIMITS = Limits()


@dataclass(frozen=True)
class Subject:
    """The software under study."""

    branch: str
    first_parent: bool
    build: BuildRecipe
    options: tuple[Option, ...]
    constraints: tuple[str, ...]
    benchmarks: tuple[BenchmarkRecipe, ...]
    surroundings: Surroundings
    limits: Limits = USUAL_LIMITS

    @cached_property
    def benchmark(self) -> Mapping[BenchmarkName, BenchmarkRecipe]:
        """Each benchmark by its name."""
        return {benchmark.name: benchmark for benchmark in self.benchmarks}

    @property
    def spans(self) -> frozenset[Span]:
        """Every part of the history that something is bound to."""
        commands = [*self.build.commands, *(c for b in self.benchmarks for c in b.commands)]
        return frozenset([*(c.span for c in commands), *(o.span for o in self.options)])
