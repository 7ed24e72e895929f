"""All configurations that the subject of a recording allows, whether they are recorded or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.options import Configuration
from sonde.effects.models.reading import read_model
from sonde.effects.recordings.configurations import RecordedConfigurations
from sonde.space.expressions import Expression
from sonde.space.space import Space

MODEL_FILE_NAME = "feature-model.xml"


@dataclass(frozen=True)
class OpenSpace:
    """A space, and the recorded configurations in terms of it."""

    space: Space
    configurations: Mapping[str, Configuration]
    refuted: tuple[Expression, ...] = ()  # constraints of the model that a recorded configuration breaks


def read_open_space(folder: Path, recorded: RecordedConfigurations) -> OpenSpace:
    """What the feature model of a folder allows, or every combination of values where it has none.

    A model that lacks an option of the recording is passed over. A constraint that recorded configurations
    break is not one of the subject, and is left out. Raises ModelError.
    """
    file = folder / MODEL_FILE_NAME
    if file.exists():
        model = read_model(file)
        if all(option.name in model.option for option in recorded.options):
            return _under(model, recorded)
    return OpenSpace(Space(recorded.options), recorded.configurations)


def _under(model: Space, recorded: RecordedConfigurations) -> OpenSpace:
    refuted: list[Expression] = []
    while True:
        completed = recorded.under(model)
        broken = next((name for name, configuration in completed.items() if configuration is None), None)
        if broken is None:
            return OpenSpace(
                model, {name: each for name, each in completed.items() if each is not None}, tuple(refuted)
            )
        conflict = model.conflict(recorded.configurations[broken])
        if not conflict:  # a value that the model's option does not have
            return OpenSpace(Space(recorded.options), recorded.configurations)
        refuted.append(conflict[-1])
        model = replace(model, constraints=tuple(each for each in model.constraints if each != conflict[-1]))
