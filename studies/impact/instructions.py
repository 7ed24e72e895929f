"""How many instructions a program executes, in total and in each of its own functions.

Counts are kept in a file as soon as they are known, so that an interrupted study goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TIMEOUT_SECONDS = 120
NATIVE_SECONDS = 10
_NAME = re.compile(r"\((\d+)\)(?: (.*))?")


@dataclass(frozen=True)
class Count:
    """One run of a program; what takes less than a hundredth of its instructions is left out."""

    total: int
    functions: Mapping[str, int]  # instructions of each function itself
    calls: tuple[tuple[str, str, int], ...]  # caller, called function, instructions until it returns
    status: int  # of its end; -1 if it took too long
    output: str  # a digest of what it printed

    def costs(self, own: Set[str]) -> Counter[str]:
        """Instructions of the program's own functions, each with those of the libraries that it calls.

        A program that prints a lot spends them in the C library, of which the analysis sees the calls alone.
        But what `main` itself calls is how a program begins and ends, the same for an input of any size.
        """
        found = Counter({name: cost for name, cost in self.functions.items() if name in own})
        for caller, called, cost in self.calls:
            if caller in own and caller != "main" and called not in own:
                found[caller] += cost
        return found

    def hot(self, own: Set[str]) -> frozenset[str]:
        """Functions with at least a twentieth of the instructions (section 4.3)."""
        return frozenset(name for name, cost in self.costs(own).items() if cost >= 0.05 * self.total)


class Counts:
    """Runs programs under callgrind, each once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, Count] = {}
        if file.exists():
            for line in file.read_text().splitlines():
                self._known.update(_read(line))

    def of(
        self, program: Path, words: Sequence[str], variables: Mapping[str, str], given: Path | None
    ) -> Count:
        """What a program executes with these words and variables, and `given` on its standard input."""
        told = [
            _digest(program),
            *words,
            *sorted(map(str, variables.items())),
            _digest(given) if given else "",
        ]
        key = hashlib.sha256("\0".join(told).encode()).hexdigest()[:24]
        if key not in self._known:
            self._known[key] = count = _run(program, words, variables, given)
            entry = {"key": key, **vars(count)}
            with self._file.open("a") as stream:
                stream.write(json.dumps(entry) + "\n")
        return self._known[key]


def _read(line: str) -> dict[str, Count]:
    try:
        entry = json.loads(line)
        calls = tuple((caller, called, cost) for caller, called, cost in entry["calls"])
        count = Count(entry["total"], entry["functions"], calls, entry["status"], entry["output"])
        return {entry["key"]: count}
    except (ValueError, KeyError):  # the last line of a study that was killed
        return {}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _run(program: Path, words: Sequence[str], variables: Mapping[str, str], given: Path | None) -> Count:
    with TemporaryDirectory() as name:
        written = Path(name) / "costs"
        line = ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={written}", str(program)]
        with (given or Path(os.devnull)).open("rb") as stream:
            try:
                ended = subprocess.run(
                    [*line, *words],
                    stdin=stream,
                    capture_output=True,
                    env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **variables},
                    timeout=TIMEOUT_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Count(0, {}, (), -1, "")
        functions, calls = read_costs(written.read_text() if written.exists() else "")
    total = functions.total()
    return Count(
        total,
        {name: cost for name, cost in functions.items() if cost >= 0.01 * total},
        tuple((*pair, cost) for pair, cost in calls.items() if cost >= 0.01 * total),
        ended.returncode,
        hashlib.sha256(ended.stdout).hexdigest()[:16],
    )


def count_blocks(program: Path, words: Sequence[str], given: Path) -> int | None:
    """How many blocks a program executes that counts them; None if it fails. It takes milliseconds."""
    with TemporaryDirectory() as name, given.open("rb") as stream:
        written = Path(name) / "blocks"
        variables = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "SONDE_BLOCKS": str(written)}
        try:
            ended = subprocess.run(
                [program, *words],
                stdin=stream,
                capture_output=True,
                env=variables,
                timeout=NATIVE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        return int(written.read_text()) if ended.returncode == 0 and written.exists() else None


def read_costs(text: str) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Instructions of each function itself, and of each call until it returns, from what callgrind writes."""
    names: dict[str, str] = {}
    costs: Counter[str] = Counter()
    calls: Counter[tuple[str, str]] = Counter()
    function = called = ""
    is_call = False
    for line in text.splitlines():
        first = line[:1]
        if first and first in "0123456789+-*":
            cost = int(line.rsplit(" ", 1)[1]) if " " in line else 0
            if is_call:
                calls[function, called] += cost
            else:
                costs[function] += cost
            is_call = False
        elif line.startswith("fn="):
            function = _name(line[3:], names)
        elif line.startswith("cfn="):
            called = _name(line[4:], names)
        elif line.startswith("calls="):
            is_call = True
    return costs, calls


def _name(text: str, names: dict[str, str]) -> str:
    found = _NAME.fullmatch(text)
    if found is None:
        return text
    number, name = found.groups()
    if name is not None:
        names[number] = name.partition("'")[0]  # callgrind tells recursive calls apart: name'2
    return names[number]
