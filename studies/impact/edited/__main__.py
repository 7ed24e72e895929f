"""Edits real programs: `python -m studies.impact.edited --project FOLDER --edits 10 --records FILE`.

Each project is copied to a scratch folder. Lines that its benchmark executes are edited at random, one after
the other; every configuration is counted before and after, and `sonde impact` and `sonde check` are asked.
Records are written one by one, so that an interrupted study goes on where it was; `--tally` prints the table.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import gettempdir

from studies.impact.edited.page import by_program, section
from studies.impact.edited.programs import copy_program
from studies.impact.edited.running import run
from studies.impact.generated.judging import misses
from studies.impact.generated.records import Record, read
from studies.pages import write_sections


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.impact.edited", description=__doc__)
    told = "folder of a project file with one benchmark (repeatable)"
    arguments.add_argument("--project", type=Path, action="append", default=[], metavar="FOLDER", help=told)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--edits", type=int, default=10, help="of each project (default 10)")
    arguments.add_argument("--records", type=Path, default=Path("edited.jsonl"), help="where they are kept")
    scratch = Path(gettempdir()) / "sonde-impact-edited"
    arguments.add_argument("--scratch", type=Path, default=scratch, help="where projects are copied to")
    arguments.add_argument("--tally", type=Path, metavar="FILE", help="print the table of these records")
    arguments.add_argument("--write", action="store_true", help="with --tally: put it into the study's page")
    chosen = arguments.parse_args()
    if chosen.tally:
        print(by_program(list(read(chosen.tally))))
        if chosen.write:
            write_sections("impact", [section(chosen.tally)])
        return 0
    chosen.scratch.mkdir(parents=True, exist_ok=True)
    found: list[Record] = []
    for folder in chosen.project:
        name = folder.resolve().name
        program = copy_program(folder, chosen.scratch / name)
        for each in run(name, program, chosen.seed, chosen.edits, chosen.records):
            print(_line(each), file=sys.stderr, flush=True)
            found += [each] if isinstance(each, Record) else []
    print(by_program(found))
    return 0


def _line(each: Record | str) -> str:
    if isinstance(each, str):
        return f"left out: {each}"
    wrong = "; ".join(sorted(miss.value for miss in misses(each.truth, each.answers)))
    kind = "relevant" if each.truth.is_relevant else "harmless" if each.truth.is_harmless else "small"
    return f"{each.key.language}, {each.edit}: {kind}, {each.seconds:.0f} s{': ' if wrong else ''}{wrong}"


if __name__ == "__main__":
    sys.exit(main())
