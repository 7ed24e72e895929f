"""From a valid configuration to one at a wanted distance, an option at a time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from random import Random

from sonde.core.options import Configuration, Option, OptionName, Value
from sonde.space.expressions import Expression, holds, options_of
from sonde.space.space import Space


class ConfigurationWalk:
    """Moves options to or from their value at `origin`, where the constraints allow it."""

    def __init__(
        self,
        space: Space,
        origin: Configuration,
        among: Collection[OptionName] | None,
        fixed: Collection[OptionName],
    ) -> None:
        self._origin = origin
        self._counted = [option for option in space.options if among is None or option.name in among]
        self._movable = [
            option for option in self._counted if len(option.values) > 1 and option.name not in fixed
        ]
        self._checks = _checks_by_option(space)

    def to(self, distance: int, start: Configuration, rng: Random) -> Configuration | None:
        """A valid configuration at `distance` from `origin`, or None where no step leads on.

        `start` is valid. The options are moved in random order.
        """
        chosen = dict(start.chosen)
        away = {option.name for option in self._counted if chosen[option.name] != self._origin[option.name]}
        moved = True
        while len(away) != distance and moved:
            moved = False
            is_too_far = len(away) > distance
            candidates = [option for option in self._movable if (option.name in away) == is_too_far]
            rng.shuffle(candidates)
            for option in candidates:
                before = chosen[option.name]
                chosen[option.name] = (
                    self._origin[option.name] if is_too_far else rng.choice(self._others(option))
                )
                if all(check(chosen) for check in self._checks[option.name]):
                    away ^= {option.name}
                    moved = True
                    if len(away) == distance:
                        break
                else:
                    chosen[option.name] = before
        return Configuration.of(chosen) if len(away) == distance else None

    def _others(self, option: Option) -> Sequence[Value]:
        return [value for value in option.values if value != self._origin[option.name]]


class _Check:
    """Whether a constraint holds, remembered for each combination of the values that it speaks of."""

    def __init__(self, constraint: Expression, names: Sequence[OptionName]) -> None:
        self._constraint = constraint
        self._key = itemgetter(*names)
        self._answers: dict[object, bool] = {}

    def __call__(self, chosen: Mapping[OptionName, Value]) -> bool:
        key = self._key(chosen)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = holds(self._constraint, chosen)
        return answer


def _checks_by_option(space: Space) -> Mapping[OptionName, Sequence[_Check]]:
    """The checks of the constraints that speak of each option."""
    found: dict[OptionName, list[_Check]] = {option.name: [] for option in space.options}
    for constraint in space.constraints:
        names = tuple(dict.fromkeys(options_of(constraint)))
        check = _Check(constraint, names)
        for name in names:
            found[name].append(check)
    return found
