"""Terms and their extents: the recorded configurations in which they hold.

Terms with the same extent cannot be told apart by any measurement of the recording (`aes` and `aes` with
`encryption`, `log` and `!noLog`), so one of them stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sonde.core.options import Literal, Term
from studies.pinpoint.releases import Releases

Bits = NDArray[np.bool_]


class Extents:
    """The core, all literals and all pairs of them that hold somewhere; of each extent, the simplest term.

    An option is an alternative if another is never on together with it: levels are, and algorithms. At most
    one literal of a pair says that an alternative is off, for two say nothing that a maintainer would.
    """

    def __init__(self, releases: Releases) -> None:
        names = [option.name for option in releases.options]
        is_on = np.array([[bool(each[name]) for name in names] for each in releases.configurations])
        self._bits = {Literal(name, True): is_on[:, at] for at, name in enumerate(names)}
        self._bits |= {Literal(name, False): ~is_on[:, at] for at, name in enumerate(names)}
        together = is_on.T.astype(np.int64) @ is_on
        is_ever_on = np.diag(together) > 0
        excludes = (together == 0) & is_ever_on[:, np.newaxis] & is_ever_on
        self.alternatives = frozenset(name for at, name in enumerate(names) if excludes[at].any())
        self._rows = len(is_on)
        self._terms: dict[bytes, Term] = {}
        for term in self._candidates():
            bits = self.of(term)
            if bits.any():
                self._terms.setdefault(bits.tobytes(), term)

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(self._terms.values())

    @cached_property
    def matrix(self) -> Bits:
        """A row a configuration, and a column a term."""
        return np.array([self.of(term) for term in self.terms]).T

    def of(self, term: Term) -> Bits:
        """Whether it holds, in each configuration."""
        bits = np.ones(self._rows, dtype=bool)
        for literal in term:
            bits = bits & self._bits[literal]
        return bits

    def simplest(self, term: Term) -> Term:
        """The term that stands for all with this extent; one of more than two literals without idle ones."""
        bits = self.of(term)
        if bits.tobytes() in self._terms:
            return self._terms[bits.tobytes()]
        for literal in sorted(term, key=str):
            fewer = term - {literal}
            if (self.of(fewer) == bits).all():
                return self.simplest(fewer)
        return term

    def _candidates(self) -> Iterable[Term]:
        literals = list(self._bits)  # those that are on first
        yield frozenset()
        for literal in literals:
            yield frozenset([literal])
        for pair in combinations(literals, 2):
            off = [each for each in pair if not each.value and each.option in self.alternatives]
            if pair[0].option != pair[1].option and len(off) < 2:
                yield frozenset(pair)


def read_term(literals: Iterable[str]) -> Term:
    """A term written as the judge has it: `X` or `!X` each; the options of recordings are on or off."""
    return frozenset(Literal(text.removeprefix("!"), not text.startswith("!")) for text in literals)
