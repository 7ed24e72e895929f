"""A sample of any kind, by the name of the kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from random import Random

from sonde.core.errors import UsageError
from sonde.core.options import Configuration, Literal, Term
from sonde.space.nearest import did_you_mean
from sonde.space.samplers.designs import largest_within
from sonde.space.samplers.distance_based import distance_based
from sonde.space.samplers.keep_term import keep_term
from sonde.space.samplers.negative_option_wise import negative_option_wise
from sonde.space.samplers.option_wise import option_wise
from sonde.space.samplers.plackett_burman import plackett_burman
from sonde.space.samplers.reduced_set import reduced_set
from sonde.space.samplers.t_wise import pair_wise, t_wise
from sonde.space.samplers.uniform import uniform
from sonde.space.samplers.vary_term import vary_term
from sonde.space.space import Space
from sonde.space.writing import read_values

DEFAULT_COUNT = 10


@dataclass(frozen=True)
class SamplerRequest:
    """What a user wants to be sampled; a kind uses what it needs of it."""

    kind: str  # one of KINDS
    count: int | None = None  # at most so many; None: all that the kind gives, or ten of a random kind
    strength: int = 2  # the t of t-wise
    options: tuple[str, ...] = ()  # of the reduced set, or the literals of a term: X, !X, X=v
    seed: int = 0  # of a random kind
    levels: int | None = None  # of a number, evenly spread; None: as many as the kind takes by itself


Sample = tuple[Configuration, ...]
Sampled = Collection[Configuration]


@dataclass(frozen=True)
class SamplerKind:
    """A way to sample: what it gives, in one line, and how."""

    description: str
    sample: Callable[[Space, SamplerRequest, Sampled], Sample]


def sample(space: Space, request: SamplerRequest, sampled: Sampled = ()) -> Sample:
    """New configurations of the requested kind, none of them among `sampled`."""
    if request.kind not in KINDS:
        raise UsageError(
            f"'{request.kind}' is not a kind of sample.{did_you_mean(request.kind, KINDS)} Known: "
            f"{', '.join(KINDS)}."
        )
    for name, number, least in (
        ("count", request.count, 0),
        ("strength", request.strength, 1),
        ("levels", request.levels, 1),
    ):
        if number is not None and number < least:
            raise UsageError(f"the {name} of a sample must be at least {least}, not {number}.")
    return KINDS[request.kind].sample(space, request, sampled)[: request.count]


def caveat(space: Space, request: SamplerRequest) -> str:
    """What a sample of this space lacks of what its kind promises, in words; empty if nothing."""
    if request.kind == "uniform" and space.diagram is None:
        return "not uniform, since the space is too complex to count: some configurations are more likely"
    return ""


def _option_wise(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return option_wise(space, sampled, request.levels or 2)


def _negative_option_wise(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return negative_option_wise(space, sampled, request.levels or 2)


def _pair_wise(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return pair_wise(space, sampled)


def _t_wise(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return t_wise(space, request.strength, sampled)


def _plackett_burman(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    levels = request.levels or 3
    return plackett_burman(space, sampled, levels, largest_within(levels, request.count or 0))


def _uniform(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return uniform(space, _count(request), Random(request.seed), sampled)


def _distance_based(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return distance_based(space, _count(request), Random(request.seed), sampled)


def _keep_term(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return keep_term(space, _term(space, request), _count(request), Random(request.seed), sampled)


def _vary_term(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return vary_term(space, _term(space, request), _count(request), Random(request.seed), sampled)


def _reduced_set(space: Space, request: SamplerRequest, sampled: Sampled) -> Sample:
    return reduced_set(space, _named(request), sampled, request.count)


def _count(request: SamplerRequest) -> int:
    return DEFAULT_COUNT if request.count is None else request.count


def _term(space: Space, request: SamplerRequest) -> Term:
    chosen = read_values(",".join(_named(request)), space.options)
    return frozenset(Literal(option, value) for option, value in chosen.items())


def _named(request: SamplerRequest) -> tuple[str, ...]:
    if not request.options:
        raise UsageError(
            f"a sample of kind '{request.kind}' needs the options that it applies to. Name some."
        )
    return request.options


KINDS: Mapping[str, SamplerKind] = {
    "option-wise": SamplerKind(
        "each value of each option, with as few other options as possible", _option_wise
    ),
    "negative-option-wise": SamplerKind("all options on except one, for each option", _negative_option_wise),
    "pair-wise": SamplerKind("every valid pair of values at least once", _pair_wise),
    "t-wise": SamplerKind("every valid combination of `strength` values at least once", _t_wise),
    "plackett-burman": SamplerKind(
        "levels of numbers from an orthogonal design, the rest at its default", _plackett_burman
    ),
    "uniform": SamplerKind("random valid configurations, all equally probable", _uniform),
    "distance-based": SamplerKind(
        "random configurations, spread evenly over the number of options that are on", _distance_based
    ),
    "keep-term": SamplerKind("these literals kept, at most half of the other options selected", _keep_term),
    "vary-term": SamplerKind("at most half of these literals changed, and nothing else", _vary_term),
    "reduced-set": SamplerKind(
        "every valid combination of these options, the rest at its default", _reduced_set
    ),
}
