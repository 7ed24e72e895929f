"""Repeats the evaluation of the paper on performance histories: `make study-history RECORDINGS=FOLDER`.

The page goes to stdout; `--write` also puts it into docs/studies/history.md. A judge, if one is given, scores
whole replays: it is run as `JUDGE history RECORDING ROWS CHANGES`, and prints JSON.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "history.md"


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.history", description=__doc__)
    arguments.add_argument(
        "recordings", type=Path, help="a folder of folders with points.csv or points.csv.gz"
    )
    arguments.add_argument("--judge", type=Path, help="the script that scores replays")
    arguments.add_argument(
        "--series", type=int, default=12, help="of a recording, for the kernels (default 12)"
    )
    arguments.add_argument("--seed", type=int, default=1, help="of the draw of these series (default 1)")
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at once")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/history.md")
    chosen = arguments.parse_args()
    if not chosen.recordings.is_dir():
        arguments.error(
            f"{chosen.recordings}: there is no such folder. Say make study-history RECORDINGS=FOLDER."
        )
    if chosen.judge is not None and not chosen.judge.is_file():
        arguments.error(f"{chosen.judge}: there is no such judge. Leave it out, or name the script.")
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one process a core is enough
    from studies.history.report import NoRecordings, Settings, write_report

    begun = time.monotonic()
    try:
        page = write_report(
            Settings(chosen.recordings, chosen.judge, chosen.series, chosen.seed, chosen.workers), _tell
        )
    except NoRecordings as error:
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
