"""Learners of selections, as users name them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonde.core.errors import UsageError
from sonde.methods.selection.greedy import OF_COST, OF_PAPER, GreedyLearner
from sonde.methods.selection.indicators import PAPER
from sonde.methods.selection.predictors import LearnedRules, Learner, PredictorScope
from sonde.methods.selection.share import ShareLearner

LEARNERS = ("greedy", "share")
COST, TABLE_I = "cost", "paper"
NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "greedy": {COST: ("share", "rlen", "rdel", "objch"), TABLE_I: tuple(each.name for each in PAPER)},
    "share": {COST: ("share", "objch")},
}


def learner_named(name: str, catch: str, indicators: str = COST) -> Learner:
    """The learner that a user names."""
    needed_columns(name, indicators)
    if name == "share":
        return ShareLearner(parse_catch(catch))
    return GreedyLearner(OF_PAPER if indicators == TABLE_I else OF_COST)


def needed_columns(learner: str, indicators: str) -> tuple[str, ...]:
    """The indicators without which a learner cannot work."""
    if learner not in NEEDED:
        raise UsageError(f"there is no learner '{learner}'. Write one of: {', '.join(LEARNERS)}.")
    if indicators not in (COST, TABLE_I):
        raise UsageError(f"there are no indicators '{indicators}'. Write {COST} or {TABLE_I}.")
    if indicators not in NEEDED[learner]:
        raise UsageError(f"the learner '{learner}' has its own indicator. Remove --indicators.")
    return NEEDED[learner][indicators]


def scope_named(name: str) -> PredictorScope:
    """The scope that a user names."""
    try:
        return PredictorScope(name)
    except ValueError:
        known = " or ".join(scope.value for scope in PredictorScope)
        raise UsageError(f"there is no scope '{name}'. Write {known}.") from None


def parse_catch(text: str) -> float:
    """The share of hits that a rule should catch: `95%` or `0.95`."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)", text.strip(), re.ASCII)
    catch = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < catch < 1:
        raise UsageError(
            f"--catch '{text}' is invalid. Write the share of changes to find, above 0% and "
            "below 100%: 95%, or 0.95."
        )
    return catch


def rules_in_words(rules: LearnedRules) -> dict[str, str]:
    """Each predictor in words, by its benchmark; one for all stands under an empty name."""
    if rules.own:
        return {benchmark: predictor.words() for benchmark, predictor in rules.own.items()}
    return {"": rules.common.words()}
