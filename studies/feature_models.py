"""Reads the feature model of every recording in a folder, and tells which listed configurations it allows.

    python studies/feature_models.py FOLDER

Prints a table, then for each constraint that listed configurations break how many do. Exits with 1 if a model
cannot be read, or if what its configurations.csv lists is not what the listed space holds.
"""

import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import UserError
from sonde.core.options import Configuration
from sonde.effects.models import read_model
from sonde.effects.recordings.configurations import FILE_NAME, RecordedConfigurations, read_configurations
from sonde.report.tables import table
from sonde.space.counting import count
from sonde.space.space import Space

MODEL_NAME = "feature-model.xml"
COUNT_SECONDS = 60.0


@dataclass(frozen=True)
class Compared:
    """A recording beside its model."""

    name: str
    cells: list[str]
    reasons: list[str]
    is_sound: bool


def main(folder: Path) -> int:
    """0 if every model is read, and every list gives its own space."""
    compared = [compare(each) for each in sorted(folder.iterdir()) if (each / FILE_NAME).is_file()]
    head = ["recording", "options", "of model", "constraints", "read in", "valid", "listed", "of them valid"]
    print(table(head, [[each.name, *each.cells] for each in compared], "l" + "r" * 7))
    for each in compared:
        for reason in each.reasons:
            print(f"{each.name}: {reason}")
    return 0 if all(each.is_sound for each in compared) else 1


def compare(folder: Path) -> Compared:
    """What the model of a recording makes of the configurations that are listed."""
    recorded = read_configurations(folder / FILE_NAME)
    reasons = [] if _lists_itself(recorded) else ["the listed space is not what is listed"]
    is_sound = not reasons
    counts = [str(len(recorded.options))]
    if not (folder / MODEL_NAME).is_file():
        cells = [*counts, "-", "-", "-", "-", str(len(recorded.configurations)), "-"]
        return Compared(folder.name, cells, reasons, is_sound)
    begin = time.perf_counter()
    try:
        model = read_model(folder / MODEL_NAME)
    except UserError as error:
        return Compared(folder.name, [*counts, *["-"] * 6], [str(error)], False)
    seconds = time.perf_counter() - begin
    unknown = [option.name for option in recorded.options if option.name not in model.option]
    if unknown:
        reasons.append(f"the model does not know {', '.join(unknown)}")
    allowed = recorded.under(model)
    invalid = [name for name, configuration in allowed.items() if configuration is None]
    reasons += _broken(model, [recorded.configurations[name] for name in invalid])
    cells = [
        *counts,
        str(len(model.options)),
        str(len(model.constraints)),
        f"{seconds * 1000:.0f} ms",
        count(model, COUNT_SECONDS).in_words,
        str(len(allowed)),
        str(len(allowed) - len(invalid)),
    ]
    return Compared(folder.name, cells, reasons, is_sound)


def _lists_itself(recorded: RecordedConfigurations) -> bool:
    """Whether the space of the list has the listed configurations and no others."""
    listed = set(recorded.configurations.values())
    found = set()
    for configuration in recorded.space().configurations():
        found.add(configuration)
        if configuration not in listed:
            return False
    return found == listed


def _broken(model: Space, configurations: list[Configuration]) -> list[str]:
    """Which constraints cannot hold with these configurations, and how often."""
    conflicts = Counter(
        " and ".join(
            f"'{constraint}'"
            for constraint in model.conflict(
                literal for literal in configuration if literal.option in model.option
            )
        )
        for configuration in configurations
    )
    return [f"{number} listed configurations break {broken}" for broken, number in conflicts.most_common()]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python studies/feature_models.py FOLDER")
    sys.exit(main(Path(sys.argv[1])))
