"""A whole prediction, from two builds and a profile to a decision.

The old build's snapshot and the profile are stored; the new build is read. Seconds of CPU, on the program of
`snapshots`, all of whose functions are in the profile. The paper tells 0.35 s, for git.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.frame import Row
from benchmarks.snapshots import make_program
from sonde.core.evidence import Activity, CostUnit, Profile, ProfiledFunction, Snapshot
from sonde.core.results import Metric
from sonde.effects.snapshots.reading import read_snapshot
from sonde.effects.store.evidence_codec import (
    decode_profile,
    decode_snapshot,
    encode_profile,
    encode_snapshot,
)
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.indicators import values_of
from sonde.methods.selection.proof import Doubt, prove
from sonde.methods.selection.reach import reach_of

ROUNDS = 5


def rows() -> Iterable[Row]:
    """CPU time from what is stored to an answer."""
    if shutil.which("gcc") is None:
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_program(folder)
        old = read_snapshot(folder, ["program"])
        assert isinstance(old, Snapshot)
        stored = encode_snapshot(old), encode_profile(_profile(old))
        _change_main(folder)
        seconds = median(_predict(folder, *stored) for _ in range(ROUNDS))
        yield Row(f"a whole prediction: {len(old.functions):,} functions", seconds, "s", 0.35)


def _profile(snapshot: Snapshot) -> Profile:
    places = [ProfiledFunction(key.output, key.source, key.name) for key in snapshot.functions]
    activities = {place: Activity(at + 1, 1000 + at, 5000) for at, place in enumerate(places)}
    return Profile(CostUnit.INSTRUCTIONS, activities, 0, {}, {}, opened=frozenset())


def _change_main(folder: Path) -> None:
    main = folder / "main.c"
    main.write_text(main.read_text().replace("return ", "return 7 * "))
    parts = sorted(file.name for file in folder.glob("part*.s") if file.name != "part.s")
    subprocess.run(["gcc", "-O2", "main.c", *parts, "-o", "program"], cwd=folder, check=True)


def _predict(folder: Path, snapshot: bytes, profile: bytes) -> float:
    begin = time.process_time()
    new = read_snapshot(folder, ["program"])
    old, executed = decode_snapshot(snapshot), decode_profile(profile)
    assert isinstance(new, Snapshot)
    exposure = exposure_to(difference_between(old, new), reach_of(executed, old))
    proof, values = prove(exposure, executed, Metric.INSTRUCTIONS), values_of(exposure)
    seconds = time.process_time() - begin
    assert isinstance(proof, Doubt)
    assert values["nrch"] == 1
    return seconds
