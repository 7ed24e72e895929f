"""How the measurements of an iteration are split: section 3.4.2."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.methods.pinpointing.likelihoods.settings import PaperSettings


@dataclass(frozen=True)
class Budget:
    """Numbers of measurements."""

    configurations: int  # for new ones
    exploration: int  # of steps
    exploitation: int  # of steps


def split(total: int, iteration: int, settings: PaperSettings) -> Budget:
    """The budget of an iteration, counted from 0: ever more for configurations and for exploitation."""
    for_steps = settings.steps_to_configurations * settings.steps_to_configurations_decay**iteration
    explore = settings.steps_explore * settings.steps_explore_decay**iteration
    steps = round(total * for_steps)
    exploration = round(steps * explore)
    return Budget(total - steps, exploration, steps - exploration)
