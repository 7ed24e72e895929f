"""Warns of what lies around builds and runs, and may not be what the user thinks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from sonde.core.events import Warned
from sonde.core.protocols import Watcher
from sonde.core.subject import Subject
from sonde.workflows.projects import OpenProject

NO_SANDBOX = "without a sandbox, builds and runs can access your files and the network."
NO_ENVIRONMENT = (
    "a virtual environment is active, but builds and runs do not use it: `{program}` is "
    "the system's. To measure with it, use its interpreter in the command, and list its "
    "folder as `readable` in [environment]."
)
_PYTHON = re.compile(r"(?<![\w./{}-])python(?:3(?:\.\d+)?)?(?![\w./-])")


def warn_of_surroundings(project: OpenProject, is_sandboxed: bool, watcher: Watcher) -> None:
    """Say what a user would want to know before anything is built."""
    if not is_sandboxed:
        watcher.notice(Warned(NO_SANDBOX))
    named = next(pythons_of_the_system(project.file.subject), None)
    if named and os.environ.get("VIRTUAL_ENV"):
        watcher.notice(Warned(NO_ENVIRONMENT.format(program=named)))


def pythons_of_the_system(subject: Subject) -> Iterator[str]:
    """How commands name a Python that is looked up in the usual folders."""
    lines = [command.line for command in subject.build.commands]
    for recipe in subject.benchmarks:
        lines += [*(command.line for command in recipe.commands), recipe.setup, recipe.teardown]
    for line in lines:
        yield from _PYTHON.findall(line)
