"""The policies by the names that a user gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sonde.methods.history_sampling.at_random import AtRandom
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.widest_gap import WidestGap

DEFAULT = "shared-changes"

POLICIES: Mapping[str, Callable[[], Policy]] = {
    DEFAULT: SharedChanges,
    "paper": WidestGap,
    "greedy": GreedyPolicy,
    "random": AtRandom,
}
