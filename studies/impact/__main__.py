"""Repeats the evaluation of the paper on impacts: `python -m studies.impact --coreutils F --bzip2 F`.

The page goes to stdout; `--write` also puts it into docs/studies/impact.md. Builds and counts are kept in a
scratch folder, so that an interrupted study goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import gettempdir


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.impact", description=__doc__)
    arguments.add_argument("--coreutils", type=Path, help="the unpacked source package of GNU coreutils")
    arguments.add_argument("--bzip2", type=Path, help="a repository of bzip2")
    arguments.add_argument("--seed", type=int, default=1, help="of the places of regressions (default 1)")
    scratch = Path(gettempdir()) / "sonde-impact-study"
    arguments.add_argument("--scratch", type=Path, default=scratch, help="where builds and counts are kept")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/impact.md")
    chosen = arguments.parse_args()
    from sonde.core.errors import UserError
    from studies.impact.report import Study, write_report
    from studies.pages import write_sections

    study = Study(
        chosen.scratch.resolve(),
        chosen.coreutils,
        chosen.bzip2,
        chosen.seed,
        _repeated(chosen),
    )
    begun = time.monotonic()
    try:
        report = write_report(study, _tell)
    except UserError as error:
        arguments.error(str(error))
    print("\n\n".join([report.head, *report.sections]))
    print(f"It took {(time.monotonic() - begun) / 60:.1f} minutes.", file=sys.stderr)
    if chosen.write:
        write_sections("impact", report.sections, report.head)
    return 0


def _repeated(chosen: argparse.Namespace) -> str:
    """The words of the call, without the folders of this machine."""
    words = [f"--coreutils {chosen.coreutils.resolve().name}"] if chosen.coreutils else []
    words += [f"--bzip2 {chosen.bzip2.resolve().name}"] if chosen.bzip2 else []
    words += [f"--seed {chosen.seed}"] if chosen.seed != 1 else []
    return " ".join([*words, "--write"])


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
