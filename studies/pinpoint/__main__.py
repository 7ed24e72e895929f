"""Repeats the evaluation of the paper on pinpointing: `make study-pinpoint RECORDINGS=FOLDER JUDGE=FOLDER`.

The page goes to stdout; `--write` also puts it into docs/studies/pinpoint.md. The judge is a folder with
score.py and synthetic.py. With `--cache` what was played is kept in a folder, and is used again as long as
the code of its planner is the same.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "pinpoint.md"


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.pinpoint", description=__doc__)
    arguments.add_argument("recordings", type=Path, help="a folder of recordings")
    arguments.add_argument(
        "--judge", type=Path, required=True, help="a folder with score.py and synthetic.py"
    )
    arguments.add_argument("--cache", type=Path, help="a folder that keeps what was played")
    numbers = (
        ("--seeds", 5, "of each combination of options, changes and noise, for shared-steps"),
        ("--paper-systems", 64, "of these, for the paper's planner"),
        ("--quiet", 200, "systems without changes, for shared-steps"),
        ("--paper-quiet", 8, "systems without changes, for the paper's planner"),
        ("--grid", 48, "experiments that are drawn of the paper's grid"),
        ("--labelled-seeds", 10, "of each labelled recording"),
        ("--release-seeds", 5, "of each recording of releases"),
        ("--seed", 1, "the first of all seeds, and that of the draw of the grid"),
        ("--workers", 2, "processes at once"),
    )
    for name, default, text in numbers:
        arguments.add_argument(name, type=int, default=default, help=f"{text} (default {default})")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/pinpoint.md")
    chosen = arguments.parse_args()
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one process a core is enough
    from studies.pinpoint.grid import Grid
    from studies.pinpoint.oracle_table import Systems
    from studies.pinpoint.quiet_table import QuietSystems
    from studies.pinpoint.report import CannotStudy, Study, write_report
    from studies.pinpoint.scale_table import Scale

    given = [(name, getattr(chosen, name[2:].replace("-", "_")), default) for name, default, _ in numbers]
    others = [f"{name} {number}" for name, number, default in given if number != default]
    study = Study(
        chosen.recordings,
        chosen.judge,
        chosen.cache,
        Systems(seeds=chosen.seeds, paper_systems=chosen.paper_systems, first_seed=chosen.seed),
        QuietSystems(chosen.quiet, chosen.paper_quiet, first_seed=chosen.seed),
        Grid(chosen.grid, seed=chosen.seed),
        Scale(seed=chosen.seed),
        chosen.labelled_seeds,
        chosen.release_seeds,
        chosen.seed,
        chosen.workers,
        " ".join(["--write", *others]),
    )
    begun = time.monotonic()
    try:
        page = write_report(study, _tell)
    except CannotStudy as error:
        arguments.error(str(error))
    print(page)
    print(f"It took {(time.monotonic() - begun) / 60:.1f} minutes.", file=sys.stderr)
    if chosen.write:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page)
    return 0


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
