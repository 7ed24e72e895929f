"""Which files of the build a benchmark has opened or asked for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Set

from sonde.effects.profiles.mentions import Mention
from sonde.effects.profiles.places import RunPaths, plain

WHOLE_BUILD = "."


def find_opened(mentions: Iterable[Mention], places: RunPaths, loaded: Set[str]) -> frozenset[str]:
    """The outputs that were opened or asked for, even if they were not there: a new one would be noticed.

    A folder is named if it was opened, and so may have been listed. A path that does not begin at the root
    stands for every output that it may mean, for the working folder may be any; whoever works in a folder of
    the build may look for anything in it. A program, or one of the libraries `loaded`, is named only if its
    file was read in another way than by running it.
    """
    opened: set[str] = set()
    climbs = False
    for mention in mentions:
        path = plain(mention.path)
        output = places.output(path)
        if output is not None:
            named = {output} if _is_looked_at(output, mention, places, loaded) else set()
            opened |= {WHOLE_BUILD} if mention.is_moving else named
        elif path and not path.startswith("/"):
            climbs = climbs or path.startswith("..")
            meant = outputs_meant(path, places)
            opened |= {each for each in meant if _is_looked_at(each, mention, places, loaded)}
    if climbs and any(places.is_folder(output) for output in opened):
        opened.add(WHOLE_BUILD)  # a path may begin at a folder that was opened
    return frozenset(opened)


def _is_looked_at(output: str, mention: Mention, places: RunPaths, loaded: Set[str]) -> bool:
    if places.is_folder(output):
        return mention.is_opening
    if places.is_program(output):
        return mention.is_opening and output not in loaded
    return True


def outputs_meant(path: str, places: RunPaths) -> set[str]:
    """The outputs that a path may mean which does not begin at the root."""
    path = posixpath.normpath(path)
    while path.startswith("../"):
        path = path[3:]
    return {output for output in places.outputs if f"/{output}".endswith(f"/{path}")}
