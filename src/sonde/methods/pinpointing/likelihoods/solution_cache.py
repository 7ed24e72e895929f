"""What was found again and again: section 3.5."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sonde.core.options import Literal
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings

ROUNDING = 1e-9  # e³ must not be smaller than e ** 3


@dataclass(frozen=True)
class Association:
    """That a step changes something for configurations with a literal; None: for all, the core."""

    step: int
    literal: Literal | None


class SolutionCache:
    """Associations with weights.

    The paper says nothing of steps that differ a little from one iteration to the next. Here an association
    is the one in the cache that has the same literal and lies nearest, `same_within_steps` at most; it moves
    to the newer step, which rests on more measurements.

    An iteration increases the weights of what it found, then decreases all, then drops. With the paper's
    figures a weight that is increased for ever becomes 3/7, for w = 0.3 (w + 1). So its criterion of ending,
    that all weights be greater than 1, can hold only between the increase and the decrease, and is checked
    there: each association was found just now, and also before.
    """

    def __init__(self, settings: PaperSettings) -> None:
        self._settings = settings
        self._weights: dict[Association, float] = {}
        self.calm = 0  # iterations in a row that dropped nothing; where the cache is empty, found nothing
        self._is_confirmed = False

    @property
    def weights(self) -> dict[Association, float]:
        """Each association with its weight, by step."""
        return dict(
            sorted(self._weights.items(), key=lambda item: (item[0].step, str(item[0].literal or "")))
        )

    @property
    def is_settled(self) -> bool:
        """Whether to end: nothing dropped for k iterations in a row, and all weights greater than 1."""
        return self.calm >= self._settings.patience and self._is_confirmed

    def probability(self, association: Association) -> float:
        """Its weight, as a share of the weight of what is found for ever: 1 - e^n after n times in a row."""
        settings = self._settings
        limit = settings.increase * settings.decrease / (1 - settings.decrease)
        return min(1.0, self._weights[association] / limit)

    def update(self, found: Iterable[Association]) -> None:
        """Take in what an iteration found."""
        settings = self._settings
        raised = self._raised(found)
        self._is_confirmed = all(weight > 1 for weight in raised.values())
        lowered = {association: weight * settings.decrease for association, weight in raised.items()}
        limit = settings.decrease**settings.patience * (1 - ROUNDING)  # t_drop
        self._weights = {association: weight for association, weight in lowered.items() if weight >= limit}
        self.calm = self.calm + 1 if len(self._weights) == len(lowered) else 0

    def _raised(self, found: Iterable[Association]) -> dict[Association, float]:
        new = list(dict.fromkeys(found))
        left, before = dict(self._weights), dict.fromkeys(new, 0.0)
        free = set(new)
        for _, one, old in sorted(self._alike(new), key=lambda pair: (pair[0], pair[1].step, pair[2].step)):
            if one in free and old in left:
                free.remove(one)
                before[one] = left.pop(old)
        raised = {one: weight + self._settings.increase for one, weight in before.items()}
        return {**left, **raised}

    def _alike(self, new: Iterable[Association]) -> Iterator[tuple[int, Association, Association]]:
        """What may be the same as what is in the cache, with the distance."""
        for one in new:
            for old in self._weights:
                distance = abs(old.step - one.step)
                if old.literal == one.literal and distance <= self._settings.same_within_steps:
                    yield distance, one, old
