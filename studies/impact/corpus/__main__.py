"""Keeps questions, and answers them: `python -m studies.impact.corpus --folder DIR gather | keep | compare`.

`gather` compiles and profiles; `keep` answers all and keeps the answers; `compare` answers all again and says
what is different.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import pickle
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from studies.impact.corpus.comparing import Found, differences, speed, table
from studies.impact.corpus.entries import read_entries
from studies.impact.corpus.gathering import (
    gather_generated,
    gather_python_scenarios,
    gather_records,
    gather_scenarios,
)
from studies.impact.corpus.outcomes import Outcome, outcome_of
from studies.impact.generated.c.language import CLanguage
from studies.impact.generated.python.language import PythonLanguage
from studies.impact.generated.subjects import Language

LANGUAGES: Mapping[str, Language] = {"c": CLanguage(), "python": PythonLanguage()}


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.impact.corpus", description=__doc__)
    arguments.add_argument("what", choices=("gather", "keep", "compare"))
    arguments.add_argument("--folder", type=Path, default=Path("corpus"), help="where everything is kept")
    arguments.add_argument("--seed", type=int, default=1, help="of generated programs")
    arguments.add_argument("--c", type=int, default=150, help="how many programs in C (default 150)")
    arguments.add_argument("--python", type=int, default=60, help="how many in Python (default 60)")
    arguments.add_argument(
        "--records", type=Path, nargs="*", default=(), help="records of a study, whose programs count, too"
    )
    arguments.add_argument("--jobs", type=int, default=1, help="how many at once (default 1)")
    arguments.add_argument("--only", default="", help="entries whose names begin with this")
    chosen = arguments.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.what == "gather":
        for name in _gather(chosen):
            print(name, file=sys.stderr, flush=True)
        return 0
    found = _answer(chosen.folder, chosen.only, chosen.jobs)
    answers = chosen.folder / "answers.pickle"
    if chosen.what == "keep":
        answers.write_bytes(pickle.dumps({name: outcome for name, (_, outcome) in found.items()}))
        kept: Mapping[str, Outcome] = {}
    else:
        kept = pickle.loads(answers.read_bytes())
    print(differences(found, kept) + table(found) + speed(found, kept))
    return 0


def _gather(chosen: argparse.Namespace) -> Iterable[str]:
    yield from gather_scenarios(chosen.folder)
    yield from gather_python_scenarios(chosen.folder)
    for file in chosen.records:
        yield from gather_records(chosen.folder, LANGUAGES, file)
    yield from gather_generated(chosen.folder, LANGUAGES["python"], chosen.seed, range(chosen.python))
    yield from gather_generated(chosen.folder, LANGUAGES["c"], chosen.seed, range(chosen.c))


def _answer(folder: Path, only: str, jobs: int) -> Found:
    entries = [each for each in read_entries(folder) if each.name.startswith(only)]
    gc.disable()
    if jobs == 1:
        return {each.name: (each, outcome_of(each)) for each in entries}
    with multiprocessing.Pool(jobs, maxtasksperchild=100) as pool:
        return {
            each.name: (each, found)
            for each, found in zip(entries, pool.imap(outcome_of, entries), strict=True)
        }


if __name__ == "__main__":
    sys.exit(main())
