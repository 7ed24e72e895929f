"""What the store must know of a kind of record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from sonde.core.options import Configuration
from sonde.core.records import Record

R = TypeVar("R", bound=Record)
MOST_KEPT_CONFIGURATIONS = 1_024  # many points share one

Row = tuple[Any, ...]
Statement = tuple[str, Row]


@dataclass(frozen=True)
class RecordTable(Generic[R]):
    """One kind of record: its statements, and the SQL condition of each field that can be asked for.

    `{}` in a condition stands for the list of values; it holds in a SELECT and in a DELETE alike.
    """

    write: Callable[[R], tuple[Statement, ...]]
    select: str
    order: str
    read: Callable[[Row], R]
    table: str
    fields: Mapping[str, str]


NEW_CONFIGURATION = "INSERT INTO configurations (chosen) VALUES (?) ON CONFLICT DO NOTHING"


@lru_cache(maxsize=MOST_KEPT_CONFIGURATIONS)
def read_configuration(chosen: str) -> Configuration:
    """The configuration with this key."""
    return Configuration(tuple((option, value) for option, value in json.loads(chosen)))
