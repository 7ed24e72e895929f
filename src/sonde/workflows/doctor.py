"""What can this machine measure, and how well right now? And is the project here in order?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import UserError
from sonde.effects.machine import (
    Capability,
    Machine,
    Noise,
    describe_machine,
    measure_noise,
    probe_capabilities,
)
from sonde.effects.project_file import find_project_file
from sonde.space.leeway import ALL_LEEWAY, Leeway, leeway_of
from sonde.workflows.projects import read_project


@dataclass(frozen=True)
class Health:
    """The machine, what it can measure, and how quiet it is."""

    machine: Machine
    capabilities: tuple[Capability, ...]
    noise: Noise
    project: ProjectHealth | None = None  # None: there is no project file


@dataclass(frozen=True)
class ProjectHealth:
    """What is wrong with a project: its mistakes in words, or else what its constraints leave to choose."""

    file: Path
    mistakes: str = ""
    leeway: Leeway = ALL_LEEWAY


def examine(seconds: float, start: Path) -> Health:
    """The health of this machine, watched for so many seconds, and of the project at `start`."""
    project = examine_project(start)
    return Health(describe_machine(), probe_capabilities(), measure_noise(seconds), project)


def examine_project(start: Path) -> ProjectHealth | None:
    """The health of the project whose file is at `start`, or in the folder `start` or above it."""
    try:
        file = find_project_file(start)
    except UserError as error:
        if not start.exists():
            raise
        return ProjectHealth(start, mistakes=str(error))
    if file is None:
        return None
    try:
        return ProjectHealth(file, leeway=leeway_of(read_project(file).space))
    except UserError as error:
        return ProjectHealth(file, mistakes=str(error))
