"""How noisy the values of a recording are, as far as anything but the values says it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from sonde.core.errors import UsageError
from sonde.effects.recordings.points import Recording, SeriesKey
from sonde.effects.recordings.relative_deviations import read_relative_deviations


def noise_of(folder: Path, recording: Recording, written: str) -> Mapping[SeriesKey, float | None]:
    """The relative noise of each series: as the user writes it, 0 where all repetitions agreed, or None."""
    if written:
        return dict.fromkeys((series.key for series in recording.series), parse_noise(written))
    has_one_key = recording.key_columns == ("configuration",)
    deviations = read_relative_deviations(folder, recording) if has_one_key else {}
    return {series.key: _recorded(deviations.get(series.key, {})) for series in recording.series}


def _recorded(deviations: Mapping[int, float]) -> float | None:
    return 0.0 if deviations and not any(deviations.values()) else None


def parse_noise(text: str) -> float:
    """The relative noise of a value: `0`, `0.1%` or `0.001`."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)", text.strip(), re.ASCII)
    noise = float(match[1]) / (100 if match[2] else 1) if match else 1.0
    if noise >= 1:
        raise UsageError(f"noise '{text}' is invalid. Write 0 if values are exact, or a share: 0.1%.")
    return noise
