"""Tells what kind of changes the recordings of releases hold.

    python -m studies.pinpoint.release_terms FOLDER [RECORDING ...] [--threshold 0.05] [--truth FOLDER]

Prints a table a recording: the share of configurations that changed, the size of steps, their noise, what
terms that multiply or add leave of them, and the terms. `--truth` also writes RECORDING.json for the judge.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from math import log1p
from pathlib import Path

import numpy as np

from sonde.report.tables import table
from studies.pinpoint.exhaustive import THRESHOLD, Step, find_steps
from studies.pinpoint.extents import Extents
from studies.pinpoint.judging import explained_share, truth
from studies.pinpoint.releases import Releases, read_releases

RECORDINGS = tuple(f"{name}-releases" for name in ("lrzip", "mariadb", "fastdownward", "brotli", "hsqldb"))


def _section(releases: Releases, steps: Sequence[Step], extents: Extents, threshold: float) -> str:
    """The steps of a recording in a table, and in a sentence."""
    logs = releases.log_steps
    is_large = np.abs(logs) > log1p(threshold)
    rows = [
        [
            str(step.revision),
            f"{is_large[:, at].mean():.0%}",
            f"{step.size:.3f}",
            f"{step.noise:.3f}",
            *(f"{residual:.3f}" for residual in step.residuals),
            step.scale if step.terms else "-",
            str(step),
        ]
        for at, step in enumerate(steps)
    ]
    head = ["release", "changed", "size", "noise", "multiplied", "added", "better", "terms"]
    found = [(each.revision, each.term) for step in steps for each in step.terms]
    said = (
        f"{releases.name}: {len(releases.configurations)} configurations, "
        f"{len(releases.revisions)} releases, "
        f"values from {np.nanmin(releases.values):.4g} to {np.nanmax(releases.values):.4g}; "
        f"{is_large.mean():.1%} of all steps are larger than {threshold:.0%}. "
        f"{len(found)} terms at {len({revision for revision, _ in found})} releases explain "
        f"{explained_share(releases, extents, found):.0%} of the squares of all log steps."
    )
    return f"{said}\n\n{table(head, rows, 'rrrrrrll')}\n"


def main() -> int:
    arguments = argparse.ArgumentParser(prog="studies.pinpoint.release_terms", description=__doc__)
    arguments.add_argument("folder", type=Path, help="a folder of recordings")
    arguments.add_argument("recordings", nargs="*", default=RECORDINGS, help="their names")
    arguments.add_argument("--threshold", type=float, default=THRESHOLD, help="of an effect (default 0.05)")
    arguments.add_argument("--truth", type=Path, help="a folder for RECORDING.json")
    chosen = arguments.parse_args()
    for name in chosen.recordings:
        releases = read_releases(chosen.folder / name)
        extents = Extents(releases)
        steps = find_steps(releases, extents, chosen.threshold)
        print(_section(releases, steps, extents, chosen.threshold))
        if chosen.truth is not None:
            chosen.truth.mkdir(parents=True, exist_ok=True)
            (chosen.truth / f"{name}.json").write_text(json.dumps(truth(steps), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
