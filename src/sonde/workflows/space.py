"""Which configurations are valid, and a sample of them."""

from __future__ import annotations

from pathlib import Path

from sonde.core.errors import UsageError
from sonde.effects.models import read_model
from sonde.effects.recordings.configurations import read_configurations
from sonde.report.space import Sampled, SpaceOverview
from sonde.space.counting import count
from sonde.space.leeway import leeway_of
from sonde.space.samplers.choosing import SamplerRequest, caveat, sample
from sonde.space.space import Space
from sonde.workflows.projects import read_project

COUNT_SECONDS = 10.0


def look_at(
    space: Space, request: SamplerRequest | None = None, count_seconds: float = COUNT_SECONDS
) -> SpaceOverview:
    """What can be said of a space, with the sample that is wished for."""
    leeway = leeway_of(space)
    if request is not None and leeway.conflict:
        raise UsageError(
            "no configuration is valid, so there is nothing to sample. Remove --sample to see "
            "which constraints conflict."
        )
    sampled = (
        Sampled(request.kind, sample(space, request), caveat(space, request)) if request is not None else None
    )
    return SpaceOverview(space, count(space, count_seconds), leeway, sampled)


def space_of(project: Path, model: Path | None) -> Space:
    """The space of a feature model or of a recording's configurations.csv, if given, else of the project."""
    if model is None:
        return read_project(project).space
    if model.suffix.lower() == ".csv":
        return read_configurations(model).space()
    return read_model(model)
