"""What programs inside answer: JSON of a bounded length, in which each value is checked.

Nothing that comes out of the sandbox is trusted. The standard library's own formats are made for data that
one has written oneself: `marshal` can crash who reads it, and `pickle` calls what it names.
"""

from __future__ import annotations

import json
from typing import (
    Annotated,
    Any,
    NotRequired,  # pydantic wants these before Python 3.12
)

from pydantic import BeforeValidator, ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

MOST_BYTES = 64 << 20  # twice the longest output that is kept, in hexadecimal, is 8 MiB

Bytes = Annotated[bytes, BeforeValidator(lambda text: bytes.fromhex(str(text)))]
_STRICT = ConfigDict(strict=True, extra="forbid")


@with_config(_STRICT)
class Printed(TypedDict):
    """The beginning and the end of what a command printed."""

    head: Bytes
    tail: Bytes
    size_bytes: int


@with_config(_STRICT)
class CommandAnswer(Printed):
    """What came of a command."""

    code: int
    timed_out: bool
    exceeded: str
    seconds: float
    left_behind: int


@with_config(_STRICT)
class StepAnswer(Printed):
    """What came of a step of a run."""

    step: str
    code: int
    timed_out: bool
    exceeded: str
    seconds: float
    how: NotRequired[str]  # a server failed


@with_config(_STRICT)
class RunAnswer(TypedDict):
    """What came of a run: the step that failed, or what the measured one took."""

    failed: StepAnswer | None
    run: StepAnswer | None
    numbers: dict[str, float] | None
    left_behind: int


@with_config(_STRICT)
class UnitAnswer(TypedDict):
    """What came of a unit that was to be compiled."""

    digest: str
    output: str
    is_lasting: bool


@with_config(_STRICT)
class Units(TypedDict):
    """What came of all units, in the order in which they were named."""

    units: list[UnitAnswer]


class NotUnderstood(Exception):
    """An answer is not what it should be."""


def parsed(content: bytes) -> dict[str, Any]:
    """The object that an answer is; raises NotUnderstood."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise NotUnderstood("the answer is not JSON") from None
    if not isinstance(answer, dict):
        raise NotUnderstood("the answer is not an object")
    return answer


def checked(answer: dict[str, Any], kind: TypeAdapter[Any]) -> dict[str, Any]:
    """The answer, if it is of a kind; raises NotUnderstood."""
    try:
        found: dict[str, Any] = kind.validate_python(answer)
    except (ValidationError, ValueError) as error:
        raise NotUnderstood(str(error)) from None
    return found
