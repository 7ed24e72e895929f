"""Where the options of a program are read, each by its own bits if several share a variable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from sonde.methods.impact.constants import ALL_BITS

Bits = Callable[[int, Set[int]], int | None]  # of an option, in a variable that these nodes read


@dataclass(frozen=True)
class VariableReads:
    """Where one variable of an option is read, and which of its bits; None: all."""

    nodes: frozenset[int]
    bits: int | None = None


@dataclass(frozen=True)
class OptionReads:
    """Where an option is read."""

    nodes: frozenset[int]
    exact: frozenset[int]  # those of them that hold the value of the option, and nothing of other ones
    bits: Mapping[int, int] = field(default_factory=dict)  # of nodes; nothing if they are not told apart


def find_option_reads(options: Sequence[Sequence[VariableReads]], bits_of: Bits) -> list[OptionReads]:
    """Where each option is read, by its variables."""
    shared = Counter(
        node for each in options for node in frozenset[int]().union(*(one.nodes for one in each))
    )
    found = []
    for number, variables in enumerate(options):
        bits = [
            one.bits if one.bits is not None else bits_of(number, one.nodes) if one.nodes else None
            for one in variables
        ]
        found.append(_reads(variables, bits, {node for node, count in shared.items() if count > 1}))
    holders = Counter(node for each in found for node in each.nodes)
    return [
        replace(each, exact=frozenset(node for node in each.exact if holders[node] == 1)) for each in found
    ]


def _reads(variables: Sequence[VariableReads], bits: Sequence[int | None], shared: Set[int]) -> OptionReads:
    nodes = frozenset[int]().union(*(one.nodes for one in variables))
    if all(each is None for each in bits):
        return OptionReads(nodes, nodes.difference(shared))
    begin: dict[int, int] = {}
    for one, each in zip(variables, bits, strict=True):
        for node in one.nodes:
            begin[node] = begin.get(node, 0) | (ALL_BITS if each is None else each)
    return OptionReads(nodes, frozenset(), begin)


def all_exact(reads: Iterable[OptionReads]) -> frozenset[int]:
    """What holds the value of some option."""
    return frozenset[int]().union(*(each.exact for each in reads))
