"""From the words of a user to a planner of histories."""

from __future__ import annotations

import re

from sonde.campaign.budget import Budget, Share
from sonde.core.errors import UsageError
from sonde.methods.history_sampling.planner import Allowance, unlimited
from sonde.methods.history_sampling.policies import POLICIES
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.stopping import ErrorBelow, Never, NoMoreThanNoise, StoppingRule


def policy_named(name: str) -> Policy:
    """The policy of that name; an error that lists them if there is none."""
    if name not in POLICIES:
        raise UsageError(f"there is no planner '{name}'. Known ones: {', '.join(POLICIES)}.")
    return POLICIES[name]()


def allowance_of(budget: Budget) -> Allowance:
    """How many revisions of a series a budget allows for, if it is a share of them."""
    return budget.points if isinstance(budget, Share) else unlimited


def parse_stopping(text: str) -> StoppingRule:
    """When to stop: `noise` (eq. 10 of the paper), an expected error such as `2%`; empty is never."""
    text = text.strip()
    if not text:
        return Never()
    if text == "noise":
        return NoMoreThanNoise()
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*%", text)
    if match and 0 < float(match[1]) <= 100:
        return ErrorBelow(float(match[1]) / 100)
    raise UsageError(
        f"'{text}' is not a rule for when to stop. Write 'noise' (as certain as the noise "
        "allows), or the acceptable expected error, such as 2%."
    )
