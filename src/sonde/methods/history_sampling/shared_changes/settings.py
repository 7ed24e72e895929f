"""What the default policy expects of performance histories."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.methods.history_sampling.noise import HIGHEST_NOISE


@dataclass(frozen=True)
class Expectations:
    """Round figures from many histories; the facts outweigh them soon."""

    first_samples: int = 3  # of each series, before anything is decided
    changes: float = 8.0  # of a series, over its whole history ...
    weight: float = 10.0  # ... which weighs as much as so many samples
    unshared: float = 0.3  # of all changes, the part that no other series shares
    level_deviation: float = 0.35  # of a new level, as log
    change_size: float = 0.2  # relative, of a change that nobody has seen yet
    # Relative error that a gap as wide as the history may hide, if its ends are equal; half as much where
    # other series tell what there is to hide.
    hidden: float = 0.02
    lasting_doubt: float = 0.2  # that a new level of which there is one sample only does not last
    spikes: float = 0.01  # of all samples, those that tell nothing of their neighbours
    highest_noise: float = HIGHEST_NOISE
