"""What is wrong with a project, as `doctor` tells it."""

from __future__ import annotations

from sonde.report.leeway import leeway_json, leeway_text
from sonde.space.leeway import Leeway


def project_health_text(file: str, mistakes: str, leeway: Leeway) -> str:
    """The mistakes of the file, or else the options without a choice."""
    if mistakes:
        return f"Project {file}:\n{mistakes}"
    return f"Project {file}:\n{leeway_text(leeway) or 'Every option can have more than one value.'}"


def project_health_json(file: str, mistakes: str, leeway: Leeway) -> dict[str, object]:
    """The same, as data."""
    return {"file": file, "mistakes": mistakes, **leeway_json(leeway)}
