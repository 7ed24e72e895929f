"""What the default search expects of changes, and how much it spends on them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchSettings:
    """Round figures; none is tuned to a single system."""

    # What is expected before anything is measured.
    changes: float = 3.0  # in the whole history
    core: float = 0.12  # of all changes, those that every configuration feels
    single: float = 0.68  # those that need one literal
    deeper: float = 0.3  # of those that need two literals or more, those that need one more
    off: float = 0.2  # an option that is off, against one that is on
    step_deviation: float = 0.3  # of a step's height, as log
    # How far the heights of one step may differ from configuration to configuration, relative to the highest.
    grading: float = 0.2
    contradiction: float = 8.0  # log odds that a silent configuration takes from a term that holds in it
    stray: float = 1e-3  # that a configuration steps for a reason of its own
    negligible: float = 0.1  # of the threshold: steps that small are never looked into

    # When something is believed.
    look: float = 0.0  # log odds from which on a suspicion is looked into
    drop: float = -1.0  # and under which it is dropped
    tell: float = 3.0  # and from which on it is told
    least_probability: float = 0.2  # of a term that is told
    certain: float = 0.97  # probability of a term from which on no more is asked
    doubtful: float = 0.9  # and under which it is asked again once more is known

    # How much is spent.
    grid: int = 17  # steps at which a configuration is looked at first
    interaction_effort: int = 24  # runs an option that are spent on the search for interactions
    questions: int = 60  # to attribute one boundary
    question_runs: int = 800
    verifications: int = 3  # trials to refute a term that seems certain
    terms_at_once: int = 3  # that may change at one revision
    reopenings: int = 1  # of a boundary that became doubtful
    location_runs: int = 150  # to narrow one boundary
    runs_at_once: int = 8  # at one point; where more are needed they are spread over neighbours
    separation: float = 3.2  # standard deviations by which a step should stand out
    enumerable: int = 4096  # a space with no more configurations than this is listed
    beam: int = 64  # terms that are kept while longer ones are tried
    longest_term: int = 6
