"""What is to be run, and how it is measured."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from sonde.core.results import Metric
from sonde.core.subject import Server

BUILD = "/sonde/build"  # where the outputs of the build appear, read-only
SCRATCH = "/sonde/scratch"  # the working folder: fresh in each run, and removed after it
METER = "/sonde/meter"  # where meters write


class Meter(Enum):
    """How a run is measured."""

    PLAIN = "plain"  # by the kernel's accounts: wall, cpu and memory
    PERF = "perf"  # instructions, by the processor's own counter
    VALGRIND = "valgrind"  # instructions, by simulation; 3 to 30 times slower


@dataclass(frozen=True)
class RunOrder:
    """One run of a benchmark. Paths in it are targets: write BUILD and SCRATCH, whatever the sandbox."""

    argv: tuple[str, ...]
    metric: Metric
    meter: Meter = Meter.PLAIN
    variables: tuple[tuple[str, str], ...] = ()
    setup: str = ""  # a shell line, as are `teardown` and the server's command
    teardown: str = ""  # run in any case, even if the setup failed
    warmups: int = 0
    server: Server | None = None
    stdin: str = ""  # a file, relative to the scratch folder; empty: nothing to read
    pattern: str = ""  # for Metric.PRINTED: its first group is the number; the last match counts
    exit_codes: tuple[int, ...] = (0,)
    timeout_seconds: float = 300.0  # of the setup, of each run, and of the teardown
    aslr: bool = False

    def __post_init__(self) -> None:
        if not self.argv:
            raise ValueError("a run needs a command")
        if (self.metric is Metric.INSTRUCTIONS) == (self.meter is Meter.PLAIN):
            raise ValueError(f"the meter '{self.meter.value}' does not measure {self.metric.value}")
        if self.metric is Metric.PRINTED and re.compile(self.pattern).groups < 1:
            raise ValueError(f"the pattern {self.pattern!r} has no group for the number")

    @property
    def longest_seconds(self) -> float:
        """The longest time that a run by this order can take."""
        server_seconds = self.server.timeout_seconds + 10.0 if self.server else 0.0
        return self.timeout_seconds * (3 + self.warmups) + server_seconds + 60.0
