"""Stable digests: equal values give equal text on every machine and in every process."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import PurePath


def digest(*parts: object) -> str:
    """SHA-256 in hexadecimal of `parts`, independent of the order of mappings and sets."""
    text = json.dumps([plain(part) for part in parts], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def plain(value: object) -> object:
    """`value` in the terms of JSON; a dataclass becomes its name and its fields."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, PurePath):
        return value.as_posix()
    if is_dataclass(value):
        content = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return [type(value).__name__, content]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=json.dumps)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    raise TypeError(f"a {type(value).__name__} has no digest; give a dataclass, a collection or a scalar")
