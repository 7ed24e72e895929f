"""Measures again what `sonde history --exact` and `sonde pinpoint` reported of counted benchmarks.

    sonde history --exact --range v1.0.. --json > history.json
    sonde pinpoint --range v1.0.. --json > pinpoint.json
    python -m studies.exactness PROJECT history.json pinpoint.json --write

PROJECT is the folder with the project file. The two revisions whose difference a change is said to be are
built and measured once more: by `sonde measure` with an empty state folder, and by plain cachegrind without a
sandbox. The section of the project goes to stdout; `--write` also puts it into docs/studies/exactness.md.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from studies.exactness.remeasuring import Remeasuring
from studies.exactness.reported import reported_in
from studies.exactness.section import PAGE_HEAD, section
from studies.pages import FOLDER, write_sections


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.exactness", description=__doc__)
    arguments.add_argument("project", type=Path, help="the folder with the project file")
    arguments.add_argument("answers", type=Path, nargs="+", help="JSON of history or pinpoint")
    arguments.add_argument("--name", help="of the project (default: that of its folder)")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/exactness.md")
    chosen = arguments.parse_args()
    answers = [json.loads(each.read_text()) for each in chosen.answers]
    reported = [each for answer in answers for each in reported_in(answer)]
    with tempfile.TemporaryDirectory(prefix="exactness-") as state:
        remeasuring = Remeasuring(chosen.project, Path(state))
        rows = []
        for number, each in enumerate(reported, 1):
            print(f"{number} of {len(reported)}: {each.after[:8]} {each.benchmark}", file=sys.stderr)
            rows.append((each, remeasuring.measure(each)))
    written = section(chosen.name or chosen.project.resolve().name, len(answers[0]["revisions"]), rows)
    print(written)
    if chosen.write:
        page = FOLDER / "exactness.md"
        page.touch()
        write_sections("exactness", [written], PAGE_HEAD)
    return 0


if __name__ == "__main__":
    sys.exit(main())
