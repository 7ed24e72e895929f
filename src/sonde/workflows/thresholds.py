"""Shares as a user writes them."""

from __future__ import annotations

import re

from sonde.core.errors import UsageError


def parse_threshold(text: str) -> float:
    """The relative size from which on a change matters: `5%` or `0.05`."""
    share = share_in(text)
    if share is None:
        raise UsageError(
            f"threshold '{text}' is invalid. Write the smallest change that matters, above 0% "
            "and below 100%: 5%, or 0.05."
        )
    return share


def share_in(text: str) -> float | None:
    """A share above 0 and below 1, such as `5%` or `0.05`; None if it is none."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)", text.strip(), re.ASCII)
    share = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    return share if 0 < share < 1 else None
