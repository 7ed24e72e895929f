"""Instructions of every configuration, those of the interpreter included, and which functions are hot.

One valgrind counts all configurations of both revisions without telling functions apart, which takes a
quarter of the time of callgrind and counts the same. A run on its own under callgrind says how much the start
of the interpreter and the modules of the library add, which is the same for all of them.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from studies.impact.generated.python.starting import INTERPRETER, SURROUNDINGS, Case
from studies.impact.generated.subjects import Invalid

MOST_LINES = 800_000
HOT = 0.05  # of all lines, in some configuration
TIMEOUT_SECONDS = 600
_TRACING_SECONDS = 60
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)
_COUNTED = re.compile(r"Total (?:instructions|reps): (\d+)")  # repeats of string instructions are apart
_CALLGRIND = ("valgrind", "--quiet", "--tool=callgrind", "--vgdb=no")
_COUNTER = (
    "valgrind",
    "--tool=exp-bbv",
    "--vgdb=no",
    "--instr-count-only=yes",
    "--bb-out-file=/dev/null",
    "--pc-out-file=/dev/null",
)


def count_children(cases: Sequence[Case], folder: Path) -> list[int] | Invalid:
    """What each case executes, but for the start of the interpreter."""
    with TemporaryDirectory(dir=folder) as name:
        place = Path(name)
        plan, result = place / "plan", place / "result"
        plan.write_text(json.dumps([asdict(each) for each in cases]))
        words = [INTERPRETER, str(Path(__file__).with_name("forking.py")), str(plan), str(result)]
        counter = [*_COUNTER, f"--log-file={place / '%p'}"]
        failed = _run([*counter, *words], SURROUNDINGS, TIMEOUT_SECONDS)
        if failed is not None:
            return failed
        found = []
        for line in result.read_text().splitlines():
            idle, busy, status = line.split()
            if status != "0":
                return Invalid(f"a configuration fails: status {status}")
            found.append(_counted(place / busy) - _counted(place / idle))
        return found


def count_alone(case: Case, folder: Path) -> int | Invalid:
    """All that one run executes, as the product counts it."""
    with TemporaryDirectory(dir=folder) as name:
        written = Path(name) / "counts"
        line = [*_CALLGRIND, f"--callgrind-out-file={written}", *case.command]
        failed = _run(line, case.environment, TIMEOUT_SECONDS)
        if failed is not None:
            return failed
        found = _TOTAL.search(written.read_text())
        assert found is not None
        return int(found[1])


def _counted(log: Path) -> int:
    return sum(map(int, _COUNTED.findall(log.read_text())))


def hot_functions(cases: Sequence[Case], folder: Path) -> tuple[str, ...] | Invalid:
    """Functions with a twentieth of all lines in some case; Invalid if a case fails or does not end."""
    hot: set[str] = set()
    for case in cases:
        lines = count_lines(case, folder)
        if isinstance(lines, Invalid):
            return lines
        hot |= {each for each, count in lines.items() if count >= HOT * lines.total()}
    return tuple(sorted(hot - {"<module>"}))


def count_lines(case: Case, folder: Path) -> Counter[str] | Invalid:
    """How many lines each function executes in a case, without valgrind."""
    with TemporaryDirectory(dir=folder) as name:
        result = Path(name) / "lines"
        script = str(Path(__file__).with_name("tracing.py"))
        words = [INTERPRETER, script, case.folder, case.start, str(MOST_LINES), str(result), *case.words]
        failed = _run(words, {**SURROUNDINGS, **case.variables}, _TRACING_SECONDS)
        return Counter(json.loads(result.read_text())) if failed is None else failed


def _run(line: Sequence[str], environment: Mapping[str, str], seconds: float) -> Invalid | None:
    try:
        ended = subprocess.run(
            line,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Invalid("takes too long")
    if ended.returncode:
        return Invalid(f"fails: {ended.returncode} {ended.stderr[-300:].decode(errors='replace')}")
    return None
