"""The size from which on a change matters, as a user writes it."""

from __future__ import annotations

import re

from sonde.core.errors import UsageError


def parse_threshold(text: str) -> float:
    """The relative size from which on a change matters: `5%` or `0.05`."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)", text.strip(), re.ASCII)
    threshold = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < threshold < 1:
        raise UsageError(
            f"threshold '{text}' is invalid. Write the smallest change that matters, above 0% "
            "and below 100%: 5%, or 0.05."
        )
    return threshold
