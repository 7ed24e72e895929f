"""The JSON Schema of the project file, for editors."""

from __future__ import annotations

from typing import Any

from sonde.effects.project_file.models import FilePart

REQUIRED = {
    "FilePart": ["build", "benchmarks"],
    "BuildPart": ["outputs"],
    "BenchmarkPart": ["command"],
    "ServerPart": ["command", "port"],
    "CommandPart": ["run"],
}


def schema() -> dict[str, Any]:
    """The schema; what `load_project` demands beyond it, it can only tell in descriptions."""
    whole = FilePart.model_json_schema(mode="validation")
    parts = {"FilePart": whole, **whole["$defs"]}
    for name, required in REQUIRED.items():
        parts[name]["required"] = required
        for key in required:
            parts[name]["properties"][key].pop("default", None)
    for part in parts.values():
        _tidy(part)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "title": "sonde.toml"}


def _tidy(part: dict[str, Any]) -> None:
    """Leave out what nobody needs: titles made of keys, and defaults that mean 'not given'."""
    part.pop("title", None)
    for property_schema in part.get("properties", {}).values():
        property_schema.pop("title", None)
        if property_schema.get("default", "") in (None, "", [], {}):
            property_schema.pop("default", None)
        kinds = property_schema.get("anyOf", [])
        if {"type": "null"} in kinds:  # TOML has no null
            kinds.remove({"type": "null"})
