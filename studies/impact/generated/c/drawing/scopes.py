"""What code can name at a place: values, numbers of a known range, arrays, functions to call."""

from __future__ import annotations

from dataclasses import dataclass, replace

from studies.impact.generated.c.nodes import Expression


@dataclass(frozen=True)
class Sized:
    """A number from 0 to `highest`; a setting if an option decides it."""

    read: Expression
    highest: int
    is_setting: bool = True


@dataclass(frozen=True)
class Buffer:
    """An array of numbers; its size is a power of two."""

    name: str
    size: int
    is_bytes: bool


@dataclass(frozen=True)
class Callable:
    """A function, or a pointer to one, from numbers to a number."""

    function: Expression
    parameters: int
    cost: int  # at most so many instructions, roughly


@dataclass(frozen=True)
class Scope:
    """What statements may use."""

    values: tuple[Expression, ...] = ()
    targets: tuple[str, ...] = ()  # local numbers that may be assigned
    sizes: tuple[Sized, ...] = ()
    buffers: tuple[Buffer, ...] = ()
    calls: tuple[Callable, ...] = ()

    def with_value(self, *values: Expression) -> Scope:
        """More to read."""
        return replace(self, values=(*self.values, *values))

    def with_size(self, *sizes: Sized) -> Scope:
        """More numbers of a known range."""
        return replace(self, sizes=(*self.sizes, *sizes))

    def with_buffer(self, *buffers: Buffer) -> Scope:
        """More arrays."""
        return replace(self, buffers=(*self.buffers, *buffers))

    def with_call(self, *calls: Callable) -> Scope:
        """More functions to call."""
        return replace(self, calls=(*self.calls, *calls))
