"""Which files of the build a Python program has looked at, beside the modules that it imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sonde.effects.profiles.mentions import Mention, count_openings
from sonde.effects.profiles.opened import find_opened, outputs_meant
from sonde.effects.profiles.places import RunPaths
from sonde.effects.profiles.python_processes import Process

SUFFIX = ".py"  # of modules


def find_looked_at(
    processes: Sequence[Process], mentions: Iterable[Mention], trace: Path, places: RunPaths
) -> frozenset[str]:
    """What was opened, and folders that were listed, but for what importing does.

    An import opens a module's file and lists folders, which the processes have told. What strace saw more
    often was opened for something else, or in a process that does not tell, and so may have been read.
    """
    seen = _openings(trace, places)
    imports = _counts((process.imported for process in processes), places)
    listings = _counts((process.listings for process in processes), places)

    def is_import(mention: Mention) -> bool:
        output = places.output(mention.path)
        if output is None or not places.is_folder(output):
            return False
        return mention.is_opening and seen[output] <= listings[output]

    opened = find_opened([each for each in mentions if not is_import(each)], places, frozenset())
    imported = {output for output in imports if seen[output] <= imports[output]}
    told = {path for process in processes for path in (*process.read, *process.listed)}
    noticed = {output for path in told if (output := places.output(path)) is not None}
    return frozenset((opened - imported) | noticed)


def _openings(trace: Path, places: RunPaths) -> Counter[str]:
    """How often strace saw each output opened."""
    found: Counter[str] = Counter()
    for path, count in count_openings(trace).items():
        output = places.output(path)
        meant = outputs_meant(path, places) if output is None and not path.startswith("/") else {output}
        found.update({each: count for each in meant if each is not None})
    return found


def _counts(told: Iterable[Mapping[str, int]], places: RunPaths) -> Counter[str]:
    found: Counter[str] = Counter()
    for counts in told:
        for path, count in counts.items():
            if (output := places.output(path)) is not None:
                found[output] += count
    return found
