"""How long a solver may go on."""

from __future__ import annotations

from collections.abc import Callable

_STEPS_A_LOOK = 20_000  # steps between two looks at the clock


class Late(Exception):
    """The time is over."""


class Patience:
    """Looks at the clock now and then."""

    def __init__(self, is_late: Callable[[], bool]) -> None:
        self._is_late = is_late
        self._steps = 0  # since the last look

    def spend(self, steps: int) -> None:
        """Go so many steps; raises Late if the time is over."""
        self._steps += steps
        if self._steps >= _STEPS_A_LOOK:
            self.look()

    def look(self) -> None:
        """Look at the clock now; raises Late if the time is over."""
        self._steps = 0
        if self._is_late():
            raise Late
