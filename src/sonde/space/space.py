"""The space: all configurations that the constraints allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sonde.core.errors import InvalidConfiguration
from sonde.core.options import Configuration, Literal, Option, OptionName
from sonde.space.expressions import Expression, holds
from sonde.space.parser import parse
from sonde.space.solver.encoding import Encoding, encode
from sonde.space.writing import DEFAULT, read_values

if TYPE_CHECKING:
    from sonde.space.diagrams.diagram import Diagram
    from sonde.space.solver.solving import Solver

__all__ = ["DEFAULT", "Space"]


@dataclass(frozen=True)
class Space:
    """Options, and the constraints that tell which of their configurations are valid."""

    options: tuple[Option, ...]
    constraints: tuple[Expression, ...] = ()

    @classmethod
    def of(cls, options: Iterable[Option], constraints: Iterable[str] = ()) -> Space:
        """The space with constraints as the project file writes them; raises a ConstraintError."""
        known = tuple(options)
        return cls(known, tuple(parse(constraint, known) for constraint in constraints))

    @cached_property
    def option(self) -> Mapping[OptionName, Option]:
        """Each option by its name."""
        return {option.name: option for option in self.options}

    @cached_property
    def default(self) -> Configuration:
        """The valid configuration in which as few options as possible differ from their default.

        Raises NoValidConfiguration if there is none.
        """
        wanted = self.every_default
        return wanted if self.is_valid(wanted) else self.solver.nearest(wanted)

    @cached_property
    def every_default(self) -> Configuration:
        """The configuration in which every option has its default; constraints may forbid it."""
        return Configuration.of({option.name: option.default for option in self.options})

    def broken(self, configuration: Configuration) -> tuple[Expression, ...]:
        """The constraints that `configuration` does not keep; none: it is valid."""
        chosen = configuration.chosen
        return tuple(constraint for constraint in self.constraints if not holds(constraint, chosen))

    def is_valid(self, configuration: Configuration) -> bool:
        """Whether `configuration` keeps all constraints."""
        chosen = configuration.chosen
        return all(holds(constraint, chosen) for constraint in self.constraints)

    def conflict(self, wanted: Iterable[Literal] = ()) -> tuple[Expression, ...]:
        """Constraints that cannot all hold where options have the `wanted` values; any fewer of these can.

        Empty if all constraints can hold. `wanted` may be a configuration.
        """
        return self.solver.conflict(wanted)

    def configurations(self) -> Iterator[Configuration]:
        """Every valid configuration, one at a time, always in the same order.

        The default comes first; the last option varies fastest.
        """
        from sonde.space.solver.enumeration import enumerate_valid

        return enumerate_valid(self.encoding, self.default)

    def parse(self, text: str) -> Configuration:
        """The configuration written as `level=9,checksum,!filter`; what is not named has its default.

        The word `default` names nothing, so that it is the default configuration when it stands alone.
        """
        chosen = read_values(text, self.options)
        configuration = Configuration.of({**self.default.chosen, **chosen})
        broken = self.broken(configuration)
        if broken:
            raise InvalidConfiguration(
                f"configuration '{text}' is not valid, because it breaks "
                + " and ".join(f"the constraint '{constraint}'" for constraint in broken)
                + f". The full configuration is {configuration}."
            )
        return configuration

    @cached_property
    def encoding(self) -> Encoding:
        """The options and constraints in a solver's terms."""
        return encode(self.options, self.constraints)

    @cached_property
    def solver(self) -> Solver:
        """Answers about this space; it is made when first needed, since the solver's package loads slowly."""
        from sonde.space.solver.solving import Solver

        return Solver(self.encoding, lambda: self.diagram)

    @cached_property
    def diagram(self) -> Diagram | None:
        """Exact counts and uniform samples, or None where the diagram of the space does not stay small."""
        from sonde.space.diagrams.building import build_diagram

        return build_diagram(self.options, self.constraints)
