"""The likeliest terms behind a boundary: a search from the core down, and from small configurations up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, TermKey, term_holds
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.belief.evidence import Reading, evidence_of
from sonde.methods.pinpointing.shared_steps.belief.priors import Priors
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings

HOPELESS = 12.0  # log odds behind the best term
MOST_TERMS = 400
LONGEST_SEED = 10

Scored = dict[TermKey, float]


class TermSearch:
    """Scores terms by their evidence and their prior."""

    def __init__(self, alphabet: Alphabet, priors: Priors, settings: SearchSettings) -> None:
        self._alphabet = alphabet
        self._priors = priors
        self._settings = settings

    def likeliest(
        self, found: Sequence[Reading], held: Flags, seeds: Iterable[TermKey]
    ) -> list[tuple[TermKey, float]]:
        """Terms and their log odds against no change, the best first."""
        scored = self._from_the_core(found, held)
        for seed in seeds:
            self._shorten(seed, found, held, scored)
        ordered = sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:MOST_TERMS]
        return [(term, score) for term, score in ordered if score > ordered[0][1] - HOPELESS - 2]

    def again(
        self, terms: Sequence[TermKey], found: Sequence[Reading], held: Flags
    ) -> list[tuple[TermKey, float]]:
        """The same for terms that were found before."""
        scores = self.score(terms, found, held).tolist()
        return sorted(zip(terms, scores, strict=True), key=lambda item: (-item[1], item[0]))

    def score(self, terms: Sequence[TermKey], found: Sequence[Reading], held: Flags) -> Array:
        """The log odds of given terms."""
        lines = np.array([term_holds(held, term) for term in terms], dtype=float)
        prior = np.array([self._priors.of(term) for term in terms])
        return np.asarray(evidence_of(found, lambda column: lines @ column) + prior)

    def _from_the_core(self, found: Sequence[Reading], held: Flags) -> Scored:
        """Add a literal at a time to the terms that are best so far."""
        is_known = (found[0].weight > 0) | (found[1].weight > 0)
        found = [reading.only(is_known) for reading in found]
        held = held[is_known]
        literals = held.astype(float)
        scored: Scored = {(): float(self.score([()], found, held)[0])}
        front: list[TermKey] = [()]
        for length in range(1, self._settings.longest_term + 1):
            scores = self._extended(front, found, literals, length)
            longer = self._best(front, scores, self._settings.beam if length > 1 else len(literals.T))
            scored.update(longer)
            if not longer or (length > 1 and max(longer.values()) < max(scored.values()) - HOPELESS):
                break
            front = list(longer)
        return scored

    def _extended(
        self, front: Sequence[TermKey], found: Sequence[Reading], literals: Array, length: int
    ) -> Array:
        """The scores of each term with each literal; minus infinity where the literal's option is in it."""
        lines = np.array([literals[:, list(term)].all(axis=1) for term in front], dtype=float)
        scores = evidence_of(found, lambda column: (lines * column) @ literals)
        common = np.array([self._priors.literal[list(term)].sum() for term in front])
        scores += common[:, None] + self._priors.literal + self._priors.of_length(length)
        if length > 1:
            chosen, every = np.array(front)[:, :, None], np.arange(self._alphabet.size)
            option, denials = self._alphabet.option_of, len(self._alphabet.literals)
            are_denials = (chosen >= denials) & (every >= denials) & (chosen != every)
            scores[((option[chosen] == option[every]) & ~are_denials).any(axis=1)] = -np.inf
        return scores

    def _best(self, front: Sequence[TermKey], scores: Array, most: int) -> Scored:
        """The best extensions, each once."""
        flat = scores.ravel()
        wanted = min(len(flat), most * 4)
        order: Integers = np.argpartition(-flat, wanted - 1)[:wanted]
        longer: Scored = {}
        for place in order[np.argsort(-flat[order], kind="stable")].tolist():
            if not np.isfinite(flat[place]) or len(longer) >= most:
                break
            term, literal = divmod(place, scores.shape[1])
            longer.setdefault(tuple(sorted((*front[term], literal))), float(flat[place]))
        return longer

    def _shorten(self, seed: TermKey, found: Sequence[Reading], held: Flags, scored: Scored) -> None:
        """Take literals away as long as that makes a term better."""
        term = seed
        while len(term) > 1:
            shorter = [term, *(term[:place] + term[place + 1 :] for place in range(len(term)))]
            scores = self.score(shorter, found, held)
            scored.update(zip(shorter, scores.tolist(), strict=True))
            best = int(np.argmax(scores))
            if best == 0:
                return
            term = shorter[best]


def probabilities(scored: Sequence[tuple[TermKey, float]]) -> list[tuple[TermKey, float]]:
    """Log odds as probabilities, given that there is a change."""
    best = scored[0][1]
    total = best + log(sum(exp(score - best) for _, score in scored))
    return [(term, exp(score - total)) for term, score in scored]
