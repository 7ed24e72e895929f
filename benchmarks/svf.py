"""SVF through pysvf, as a peer of our analysis of pointers."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import PYTHON, why_missing

# What one program may take.
SECONDS = 300  # of CPU
GIGABYTES = 8

_PROGRAM = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[3]) << 30, int(sys.argv[3]) << 30))
import pysvf
begin = time.process_time()
pysvf.buildSVFModule([sys.argv[1]])
analysis = pysvf.AndersenWaveDiff(pysvf.getPAG())
analysis.analyze()
print()
print(time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@dataclass(frozen=True)
class Svf:
    """What SVF needed."""

    seconds: float  # of CPU
    megabytes: float


def analyse_with_svf(folder: Path) -> Svf | str:
    """The linked program of `new/*.bc`, analysed; or why there is no figure."""
    python = Path(os.environ["SONDE_SVF"]) if "SONDE_SVF" in os.environ else PYTHON
    reason = why_missing("pysvf", python)
    if reason:
        return reason
    linked = folder / "linked.bc"
    files = [str(each) for each in sorted((folder / "new").glob("*.bc"))]
    subprocess.run(["llvm-link-19", *files, "-o", str(linked)], check=True)
    words = [str(python), "-c", _PROGRAM, str(linked), str(SECONDS), str(GIGABYTES)]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    linked.unlink()
    if ended.returncode:
        return f"no answer with {SECONDS} s and {GIGABYTES} GB"
    seconds, megabytes = ended.stdout.splitlines()[-1].split()
    return Svf(float(seconds), float(megabytes))
