"""The configurations of a recording, and the space that they are."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.options import Configuration, Option, Value
from sonde.effects.models.text import read_text
from sonde.effects.recordings.listing import listed
from sonde.formats.feature_models.errors import mistake
from sonde.formats.feature_models.names import OptionNames
from sonde.space.facts import number_of
from sonde.space.space import Space

FILE_NAME = "configurations.csv"
FIRST_COLUMN = "configuration"

MOST_BYTES = 200 * 10**6


@dataclass(frozen=True)
class RecordedConfigurations:
    """The options of a recording, and its configurations by the name that its points call them."""

    options: tuple[Option, ...]
    configurations: Mapping[str, Configuration]

    def space(self) -> Space:
        """The configurations that are listed, and no others."""
        return Space(self.options, listed(self.options, self.configurations.values()))

    def under(self, model: Space) -> Mapping[str, Configuration | None]:
        """Each configuration with the further options of a model, or None if the model does not allow it.

        Options that the model does not know are left out.
        """
        known = [option.name for option in self.options if option.name in model.option]
        return {
            name: model.solver.complete(literal for literal in configuration if literal.option in known)
            for name, configuration in self.configurations.items()
        }


def read_configurations(file: Path) -> RecordedConfigurations:
    """What a `configurations.csv` lists: a column `configuration`, and one an option; raises ModelError.

    A column of 0 and 1 is on or off, one of other numbers has levels, and any other is one of several.
    """
    shown = str(file)
    rows = _rows(read_text(file, MOST_BYTES), shown)
    head = rows[0]
    if head[0] != FIRST_COLUMN or len(head) < 2:
        raise mistake(
            shown, 1, f"the first column is not '{FIRST_COLUMN}', followed by the options. Write it."
        )
    names = OptionNames()
    for column in head[1:]:
        if not column or column in names:
            raise mistake(shown, 1, f"the column '{column}' is duplicate or empty. Rename or remove it.")
        names.add(column)
    texts: dict[str, Sequence[str]] = {}
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(head):
            raise mistake(
                shown,
                number,
                f"there are {len(row)} values, but {len(head)} columns. Write one value per column.",
            )
        if row[0] in texts:
            raise mistake(shown, number, f"configuration '{row[0]}' is listed twice. Remove one of them.")
        texts[row[0]] = row[1:]
    if not texts:
        raise mistake(shown, 1, "no configuration is listed. Write one per line.")
    columns = list(zip(*texts.values(), strict=True))
    options = tuple(_option(names[name], column) for name, column in zip(head[1:], columns, strict=True))
    return RecordedConfigurations(
        options,
        {
            name: Configuration.of(
                {option.name: _value(option, text) for option, text in zip(options, row, strict=True)}
            )
            for name, row in texts.items()
        },
    )


def _rows(text: str, shown: str) -> list[list[str]]:
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines(), strict=True) if row]
    except csv.Error as error:
        raise mistake(shown, 0, f"this is not CSV: {error}.") from None
    if not rows:
        raise mistake(shown, 1, "the file is empty. Write a header, and one configuration per line.")
    return rows


def _option(name: str, texts: Iterable[str]) -> Option:
    distinct = list(dict.fromkeys(texts))
    if set(distinct) <= {"0", "1"}:
        return Option(name, (False, True), distinct == ["1"])
    numbers = [number_of(text) for text in distinct]
    levels = sorted({number for number in numbers if number is not None})
    if None not in numbers and len(levels) == len(distinct):
        return Option(name, tuple(levels), levels[0])
    return Option(name, tuple(distinct), distinct[0])


def _value(option: Option, text: str) -> Value:
    if option.is_switch:
        return text == "1"
    number = number_of(text)
    return number if option.is_numeric and number is not None else text
