"""Repeats the evaluation of the paper on selection: `make study-select TUPLES="FILE ..."`.

The page goes to stdout; `--write` also puts it into docs/studies/select.md. Tuples are CSV files that
`sonde replay select` reads; with a project and ranges of it, what its store knows is counted, too.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "select.md"


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.select", description=__doc__)
    arguments.add_argument(
        "--tuples",
        type=Path,
        nargs="+",
        action="append",
        required=True,
        help="CSV files of one project; repeat it for another project",
    )
    arguments.add_argument(
        "--seconds", type=Path, help="a CSV file with bench and wall_s, for the first --tuples"
    )
    arguments.add_argument("--project", type=Path, help="the folder of a project file")
    arguments.add_argument(
        "--range", action="append", default=[], help="revisions of the project; repeatable"
    )
    numbers = (
        ("--folds", 10, "parts of the cross-validations"),
        ("--seeds", 5, "partitions of Table IV"),
        ("--promise-seeds", 50, "partitions for the promises"),
        ("--size-seeds", 20, "partitions of Figure 3"),
        ("--pair-seeds", 1, "partitions of Table V"),
    )
    for name, default, text in numbers:
        arguments.add_argument(name, type=int, default=default, help=f"{text} (default {default})")
    arguments.add_argument("--write", action="store_true", help="also write docs/studies/select.md")
    chosen = arguments.parse_args()
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    from sonde.core.errors import UserError
    from studies.select.report import Study, write_report

    given = [(name, getattr(chosen, name[2:].replace("-", "_")), default) for name, default, _ in numbers]
    others = [f"{name} {number}" for name, number, default in given if number != default]
    study = Study(
        files=tuple(tuple(files) for files in chosen.tuples),
        seconds=chosen.seconds,
        project=chosen.project,
        ranges=tuple(chosen.range),
        folds=chosen.folds,
        seeds=chosen.seeds,
        promise_seeds=chosen.promise_seeds,
        size_seeds=chosen.size_seeds,
        pair_seeds=chosen.pair_seeds,
        arguments=_repeated(chosen, others),
    )
    begun = time.monotonic()
    try:
        page = write_report(study, _tell)
    except UserError as error:
        arguments.error(str(error))
    print(page)
    print(f"It took {(time.monotonic() - begun) / 60:.1f} minutes.", file=sys.stderr)
    if chosen.write:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page)
    return 0


def _repeated(chosen: argparse.Namespace, others: list[str]) -> str:
    """The words for make, without the folders of this machine."""
    words = [" ".join(["--tuples", *(file.name for file in files)]) for files in chosen.tuples]
    words += [f"--seconds {chosen.seconds.name}"] if chosen.seconds else []
    words += [f"--project {chosen.project.resolve().name}"] if chosen.project else []
    words += [f"--range {each}" for each in chosen.range]
    return f'ARGS="{" ".join([*words, *others, "--write"])}"'


def _tell(progress: str) -> None:
    print(progress, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
