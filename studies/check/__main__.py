"""Tries the verdicts of `sonde check` on real runs: `python -m studies.check calibration`.

The section goes to stdout; `--write` also puts it into docs/studies/check.md. Comparisons are kept in a
scratch folder, so that an interrupted study goes on where it was. It takes about half an hour, on a machine
that does nothing else.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import gettempdir


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.check", description=__doc__)
    arguments.add_argument("part", choices=["calibration"])
    scratch = Path(gettempdir()) / "sonde-check-study"
    arguments.add_argument("--scratch", type=Path, default=scratch, help="where comparisons are kept")
    numbers = (
        ("--same", 200, "comparisons of equal programs, calm and again with load"),
        ("--planted", 45, "comparisons with planted work, calm and again with load"),
        ("--in-a-row", 45, "planted comparisons of ten runs after ten runs, calm and again with load"),
        ("--hard", 24, "comparisons of equal programs, and of planted work, that are hard to measure"),
        ("--counts", 8, "comparisons of instructions, of each program"),
        ("--checks", 5, "checks of each head by the whole of sonde check, in each state"),
        ("--seed", 1, "of the order of runs"),
    )
    for name, default, text in numbers:
        arguments.add_argument(name, type=int, default=default, help=f"{text} (default {default})")
    arguments.add_argument("--state", choices=["calm", "loaded"], help="measure in one state only")
    arguments.add_argument(
        "--recorded", action="store_true", help="make no more comparisons; tell those that are recorded"
    )
    arguments.add_argument(
        "--whole",
        action="store_true",
        help="take pairs up to the cap, so that other rules can be tried on them",
    )
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/check.md")
    chosen = arguments.parse_args()
    from studies.check.measuring import Plan
    from studies.check.report import Study, write_calibration
    from studies.pages import write_sections

    states = (chosen.state,) if chosen.state else ("calm", "loaded")
    plan = Plan(
        () if chosen.recorded else states,
        chosen.same,
        chosen.planted,
        chosen.in_a_row,
        chosen.hard,
        chosen.seed,
        chosen.whole,
    )
    given = [(name, getattr(chosen, name[2:].replace("-", "_")), default) for name, default, _ in numbers]
    words = [f"{name} {number}" for name, number, default in given if number != default]
    study = Study(
        chosen.scratch.resolve(), plan, chosen.counts, chosen.checks, states, " ".join([*words, "--write"])
    )
    begun = time.monotonic()
    section = write_calibration(study, _tell)
    print(section)
    print(f"It took {(time.monotonic() - begun) / 60:.1f} minutes.", file=sys.stderr)
    if chosen.write:
        write_sections("check", [section])
    return 0


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
