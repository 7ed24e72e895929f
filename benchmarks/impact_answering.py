"""One question of `sonde impact` in a process of its own, for the benchmark of it.

    python -m benchmarks.impact_answering FOLDER answer|again|points-to

The folder holds the bitcode of both programs (`old/*.bc`, `new/*.bc`), names of hot functions (`hot`), and
options (`options`: a word and a variable a line). `again` keeps the units that it reads, and finds them the
next time; `points-to` is about the new program alone. Prints JSON: seconds by the clock, those of CPU with
those of processes that it starts, the most memory in MB of one process, and what was found.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from sonde.core.code import Unit
from sonde.effects.at_once import at_once
from sonde.effects.bitcode.kept_units import KeptUnits
from sonde.effects.bitcode.values import UnitFile
from sonde.effects.collecting import without_collecting
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import Choice, OptionInCode
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.cloning import clone_small_routines
from sonde.methods.impact.program.linking import link
from sonde.methods.impact.program.memory import SearchLimits
from sonde.methods.impact.question import Question
from sonde.workflows.impact.programs import UnitReader


def main() -> None:
    folder, what = Path(sys.argv[1]), sys.argv[2]
    files = {side: _files(folder / side) for side in ("old", "new")}
    hot = tuple(map(Hotness, (folder / "hot").read_text().split()))
    pairs = [line.split() for line in (folder / "options").read_text().splitlines()]
    options = tuple(
        OptionInCode(word, (variable,), choices=(Choice(False, ()), Choice(True, (word,))))
        for word, variable in pairs
    )
    words = frozenset(word for word, _ in pairs)
    begin, begun = time.process_time(), time.monotonic()
    reader = UnitReader(KeptUnits() if what == "again" else None)
    if what == "points-to":
        found = _points_to(reader.read(files["new"]))
    else:
        reader.read([*files["old"], *files["new"]])
        old, new = reader.read(files["old"]), reader.read(files["new"])
        with without_collecting():
            question = Question(old, new, hot, options, words=words, fixed_words=())
            given = answer(question, time.process_time, at_once=at_once)
        found = {
            "is_relevant": given.is_relevant,
            "points_to": given.analysis.points_to,
            "instructions": given.analysis.instructions,
        }
    seconds = {"seconds": time.monotonic() - begun, "cpu_seconds": time.process_time() - begin + _children()}
    print(json.dumps({**seconds, "megabytes": _peak(), **found}))


def _files(folder: Path) -> list[UnitFile]:
    """The units, told apart by their content as Sonde's own store does."""
    files = sorted(folder.glob("*.bc"))
    return [UnitFile(each.name, sha256(each.read_bytes()).hexdigest(), each) for each in files]


def _points_to(units: tuple[Unit, ...]) -> Mapping[str, object]:
    with without_collecting():
        memory = solve(clone_small_routines(link(units)), SearchLimits(), time.process_time)
    return {"points_to": memory.points_to}


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _peak() -> float:
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return max(resource.getrusage(each).ru_maxrss for each in whose) / 1024


if __name__ == "__main__":
    main()
