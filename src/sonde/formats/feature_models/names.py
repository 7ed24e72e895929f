"""Names of a model as names of options: letters, digits, `_`, `-` and `.`, each once."""

from __future__ import annotations

import re

from sonde.space.expressions import NAME
from sonde.space.parser import RESERVED
from sonde.space.space import DEFAULT
from sonde.space.words import BUILD_PLACE, OPTIONS_PLACE, option_variable

_TAKEN = frozenset([*RESERVED, DEFAULT, BUILD_PLACE, OPTIONS_PLACE])


class OptionNames:
    """Gives each name of a model a name that an option can have: its own, wherever that is possible.

    Foreign letters become `_`; what would clash, also as a variable SONDE_OPT_<NAME>, gets a number.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._variables: set[str] = set()

    def add(self, name: str) -> str:
        """The option's name for a name that the model has not had yet."""
        legal = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        if not NAME.fullmatch(legal):
            legal = re.sub(r"[.-]", "_", legal)
        if not legal or legal[0].isdigit():
            legal = f"_{legal}"
        if legal in _TAKEN:
            legal = f"{legal}_"
        chosen, number = legal, 1
        while option_variable(chosen) in self._variables:
            number += 1
            chosen = f"{legal}_{number}"
        self._variables.add(option_variable(chosen))
        self._names[name] = chosen
        return chosen

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> str:
        return self._names[name]

    def known(self) -> tuple[str, ...]:
        """The names of the model, in their order."""
        return tuple(self._names)
