"""Only the build inputs of a work tree."""

from __future__ import annotations

import os
from pathlib import Path

from sonde.effects.git.patterns import Patterns, Standing
from sonde.effects.git.slots.files import fix_time
from sonde.effects.subject_files import discard


def keep_chosen(tree: Path, patterns: Patterns) -> None:
    """Remove the files below `tree` that `patterns` do not choose, and the folders in which none is left."""
    if not (patterns.root.is_settled and patterns.root.chosen):
        _keep_chosen(tree, patterns.root, patterns)
        fix_time(tree)


def _keep_chosen(folder: Path, standing: Standing, patterns: Patterns) -> None:
    with os.scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        path = Path(entry.path)
        if entry.name == ".git":  # leads to the git directory, where a build may see it
            continue
        if not entry.is_dir(follow_symlinks=False):
            if not patterns.choose(standing, entry.name):
                path.unlink()
            continue
        below = patterns.enter(standing, entry.name)
        if not below.is_settled:
            _keep_chosen(path, below, patterns)
        elif not below.chosen:
            discard(path)
        if path.exists() and not any(path.iterdir()):
            path.rmdir()
        elif path.exists():
            fix_time(path)
