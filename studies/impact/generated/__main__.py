"""Generated programs: `python -m studies.impact.generated --seed 1 --programs 2000 --jobs 2 --records FILE`.

The records go to a file, one line for each program; a run that was interrupted goes on where it was.
`--tally` prints the table of a file, `--shrink` writes the smallest program that shows each miss of a file.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from studies.impact.generated.c.language import CLanguage
from studies.impact.generated.judging import misses
from studies.impact.generated.page import section
from studies.impact.generated.python.language import PythonLanguage
from studies.impact.generated.questions import Asked
from studies.impact.generated.records import Key, Record, read
from studies.impact.generated.running import run
from studies.impact.generated.shrinking import write_smallest
from studies.impact.generated.subjects import Language
from studies.impact.generated.tally import tally
from studies.pages import write_sections

LANGUAGES: dict[str, Language] = {"c": CLanguage(), "python": PythonLanguage()}


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.impact.generated", description=__doc__)
    arguments.add_argument("--language", choices=LANGUAGES, default="c")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--programs", type=int, default=20, help="how many (default 20)")
    arguments.add_argument("--first", type=int, default=0, help="the number of the first one (default 0)")
    arguments.add_argument("--jobs", type=int, default=1, help="how many at once (default 1)")
    arguments.add_argument(
        "--records", type=Path, default=Path("generated.jsonl"), help="where they are kept"
    )
    arguments.add_argument("--no-check", action="store_true", help="do not ask `sonde check`")
    arguments.add_argument("--no-given", action="store_true", help="do not ask with hot code given")
    arguments.add_argument("--tally", type=Path, metavar="FILE", help="print the table of these records")
    arguments.add_argument("--write", action="store_true", help="with --tally: put it into the study's page")
    arguments.add_argument("--shrink", type=Path, metavar="FILE", help="shrink what these records miss")
    arguments.add_argument("--only", type=int, nargs="*", help="shrink the programs with these numbers only")
    arguments.add_argument("--to", type=Path, default=Path("shrunk"), help="the folder of shrunk programs")
    chosen = arguments.parse_args()
    if chosen.tally:
        print(tally(list(read(chosen.tally))))
        if chosen.write:
            write_sections("impact", [section(chosen.tally)])
        return 0
    if chosen.shrink:
        wanted = [each for each in read(chosen.shrink) if not chosen.only or each.key.number in chosen.only]
        write_smallest(LANGUAGES, wanted, chosen.to, chosen.jobs, _tell)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the processes of the pool end, too
    asked = Asked(hot_given=not chosen.no_given, check=not chosen.no_check)
    keys = [Key(chosen.language, chosen.seed, chosen.first + at) for at in range(chosen.programs)]
    for record in run(LANGUAGES[chosen.language], asked, keys, chosen.jobs, chosen.records):
        _tell(_line(record))
    print(tally([each for each in read(chosen.records) if each.key in set(keys)]))
    return 0


def _line(record: Record) -> str:
    wrong = "; ".join(sorted(each.value for each in misses(record.truth, record.answers)))
    kind = "relevant" if record.truth.is_relevant else "harmless" if record.truth.is_harmless else "small"
    return f"{record.key.number}: {record.edit}, {kind}, {record.seconds:.0f} s{': ' if wrong else ''}{wrong}"


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
