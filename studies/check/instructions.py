"""A planted 2 % of instructions, counted in two runs of each side."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import count
from math import log1p
from pathlib import Path
from tempfile import TemporaryDirectory

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.effects.runs.counter import COUNTED, CounterMeter, make_counter, sum_counts
from sonde.effects.runs.orders import METER
from sonde.effects.sandbox import Processes
from sonde.methods.comparison.comparing import Comparing, Judgement
from sonde.methods.comparison.rules import ComparisonRules
from studies.check.workloads import NAMES, PROBE_STEPS, VARIABLES, make_program

Progress = Callable[[str], None]
PLANTED_SHARE = 0.02
RUNS = ComparisonRules().exact_runs


@dataclass(frozen=True)
class Counted:
    """The instructions of each run of a comparison."""

    workload: str
    number: int
    base: tuple[float, ...]
    same: tuple[float, ...]
    planted: tuple[float, ...]

    @property
    def is_found(self) -> bool:
        """Whether the planted instructions are noticed."""
        return self._judge(self.planted).verdict is Verdict.SLOWER

    @property
    def is_equal(self) -> bool:
        """Whether the same program is called equal to itself."""
        return self._judge(self.same).verdict is Verdict.EQUAL

    @property
    def error(self) -> float:
        """How far the estimate is from what was planted, as a logarithm."""
        ratio = self._judge(self.planted).ratio
        return float("inf") if ratio is None else abs(ratio.log - log1p(PLANTED_SHARE))

    def _judge(self, head: tuple[float, ...]) -> Judgement:
        comparing = Comparing({0: Metric.INSTRUCTIONS}, ComparisonRules())
        comparing.tell(0, list(zip(self.base, head, strict=True)))
        return comparing.judgements()[0]


def compare_counts(folder: Path, comparisons: int, progress: Progress) -> list[Counted]:
    """So many comparisons of each workload, with other numbers of steps each time; recorded ones are kept."""
    path = folder / "counts.jsonl"
    known = {(each.workload, each.number): each for each in _read(path)}
    wanted = [(name, number) for name in NAMES for number in range(comparisons)]
    for name, number in wanted:
        if (name, number) not in known:
            known[name, number] = counted = _compare(name, number, make_program(name, folder))
            with path.open("a") as file:
                file.write(json.dumps(asdict(counted)) + "\n")
            progress(f"instructions: {name} {number + 1}/{comparisons}")
    return [known[key] for key in wanted]


def _read(path: Path) -> Iterator[Counted]:
    for line in path.read_text().splitlines() if path.exists() else []:
        words = json.loads(line)
        yield Counted(
            words["workload"],
            words["number"],
            tuple(words["base"]),
            tuple(words["same"]),
            tuple(words["planted"]),
        )


def _compare(name: str, number: int, program: Path) -> Counted:
    steps = PROBE_STEPS[name] * (10 + number) // 20
    fillers = (97 * number + each for each in count())  # another length of the environment for each run
    start, whole = (count_instructions(program, each, next(fillers)) for each in (0, steps))
    more = round(steps + PLANTED_SHARE * whole * steps / (whole - start))
    base, same, planted = (
        tuple(count_instructions(program, each, next(fillers)) for _ in range(RUNS))
        for each in (steps, steps, more)
    )
    return Counted(name, number, base, same, planted)


def count_instructions(program: Path, steps: int, filler: int) -> float:
    """Those of a run and of its children, as Sonde counts; a variable of so many letters moves the stack."""
    with TemporaryDirectory() as folder:
        place, meter = Path(folder), CounterMeter(make_counter(Path(folder), Processes()))
        words = meter.wrap((str(program), str(steps)), {})
        variables = {"PATH": "/usr/bin:/bin", "FILLER": "x" * filler, **VARIABLES, **dict(meter.variables)}
        with meter.attached(place / "meter", f"{place}/meter"):
            subprocess.run(
                [word.replace(METER, f"{place}/meter") for word in words],
                check=True,
                env={name: value.replace(METER, f"{place}/meter") for name, value in variables.items()},
            )
        counted = sum_counts((place / COUNTED).read_bytes())
        if isinstance(counted, str):
            raise RuntimeError(counted)
        return counted
