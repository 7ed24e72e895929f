"""What the paper leaves to its user, with the paper's defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PaperSettings:
    """Each with its section; where the paper gives none, the reason."""

    # N_initial, table 1: of 2, 5 and 10 the smallest. At 3 % of 1,000 revisions even that takes 60
    # measurements an option, and the search adds configurations by itself.
    initial_factor: int = 2
    steps_share: float = 0.03  # r_commits, 4.1.3
    fewest_steps: int = 2  # of a configuration: with fewer there is no pair to compare
    peak_factor: float = 3.0  # N_CPL, eq. 6
    influence_factor: float = 1.0  # N_influence, eq. 7
    folds: int = 3  # of the cross-validation, 3.3.2
    measurements: int = 200  # n_measurements of an iteration, the middle one of table 1
    steps_to_configurations: float = 0.5  # n_commits_to_configs, 3.4.2 ...
    steps_to_configurations_decay: float = 0.95  # ... and what it is multiplied by after an iteration
    steps_explore: float = 0.5  # n_commits_explore, 3.4.2 ...
    steps_explore_decay: float = 0.9  # ... and what it is multiplied by
    explored_configurations: int = 75  # at most so many in an iteration, 3.4.2
    increase: float = 1.0  # w_increase, 3.5
    decrease: float = 0.3  # e_decrease, 3.5
    patience: int = 3  # k, 3.5
    same_within_steps: int = 5  # two iterations find the same association; the interval of 4.1.4
    most_iterations: int = 30  # i_max, 4.1.4
    most_measurements: int | None = None  # m_max, 3.5; None: the campaign's budget alone is the limit
    noise_factor: float = 3.0  # the threshold is at least so many deviations of a run: "a minimum", 3.2

    def steps_of(self, life: int) -> int:
        """How many steps a new configuration gets that exists in `life` steps."""
        return min(life, max(self.fewest_steps, round(self.steps_share * life)))
