"""Which files an outcome depends on, so that a kept one is used only as long as none of them changed."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path

from sonde.workflows.pinpoint.searches import PAPER, SHARED_STEPS
from studies.pinpoint.judge import FILES

REPLAYS = (
    "sonde.campaign.drawn",
    "sonde.campaign.loop",
    "sonde.campaign.nearest",
    "sonde.campaign.replay",
    "sonde.effects.oracles",
    "sonde.effects.recordings.grid",
    "sonde.effects.recordings.open_space",
    "sonde.methods.pinpointing.planner",
)
# What these import is in the list above, or has to do with other commands or another search.
REPLAYS_ALONE = (
    "sonde.workflows.replay.pinpoint",
    "sonde.workflows.replay.scenes",
    "sonde.workflows.replay.request",
    "sonde.workflows.pinpoint.endings",
    "studies.pinpoint.replays",
)
REGRESSION = ("studies.pinpoint.exhaustive", "studies.pinpoint.judging")
SEARCHES = {
    SHARED_STEPS: "sonde.methods.pinpointing.shared_steps.search",
    PAPER: "sonde.methods.pinpointing.likelihoods.search",
}
OURS = ("sonde", "studies")


def planner_digest(planner: str, judge: Path) -> str:
    """Of all that a replay of that planner runs through."""
    alone = [file for file in map(_file_of, REPLAYS_ALONE) if file is not None]
    files = files_of((*REPLAYS, SEARCHES[planner]))
    return _digest(*sorted(files | set(alone)), *(judge / name for name in FILES))


def regression_digest() -> str:
    """Of all that exhaustive regression runs through."""
    return _digest(*sorted(files_of(REGRESSION)))


def _digest(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def files_of(modules: Iterable[str]) -> set[Path]:
    """The files of modules and of all of ours that they import at once, and not only when called."""
    waiting = list(modules)
    seen: set[str] = set()
    files: set[Path] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name.partition(".")[0] not in OURS:
            continue
        seen.add(name)
        file = _file_of(name)
        if file is not None:
            files.add(file)
            waiting += _imported(file)
    return files


def _file_of(name: str) -> Path | None:
    """Where a module is; None for what is no module, such as a class, or has no file."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # its parent is no package
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _imported(file: Path) -> Iterator[str]:
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
