"""In which configurations something counts: a term, and what makes it count no more."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.options import Configuration, Literal, Term


@dataclass(frozen=True)
class TermScope:
    """Configurations in which a term holds, and none of its exceptions does."""

    term: Term  # empty: every configuration
    unless: Term = frozenset()  # alternatives, of which any suffices

    def has(self, configuration: Configuration) -> bool:
        """Whether a configuration belongs to it."""
        return all(holds_in(literal, configuration) for literal in self.term) and not any(
            holds_in(literal, configuration) for literal in self.unless
        )


def holds_in(literal: Literal, configuration: Configuration) -> bool:
    """Whether a configuration has a literal; an option that it does not know is off."""
    return configuration.chosen.get(literal.option, False) == literal.value
