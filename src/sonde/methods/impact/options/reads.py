"""Where the options of a program are read, each by its own bits if several share a variable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from sonde.methods.impact.constants import ALL_BITS
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.options.bit_masks import find_masks

Bits = Callable[[int, Set[int]], int | None]  # of an option, in a variable that these nodes read


@dataclass(frozen=True)
class VariableReads:
    """Where one variable of an option is read, and which of its bits the project file names; None: all."""

    nodes: frozenset[int]
    bits: int | None = None
    vague: frozenset[int] = frozenset()  # those of the nodes that may hold something else


@dataclass(frozen=True)
class OptionReads:
    """Where an option is read."""

    nodes: frozenset[int]
    exact: frozenset[int]  # those of them that hold the value of the option, and nothing of other ones
    bits: Mapping[int, int] = field(default_factory=dict)  # of nodes; nothing if they are not told apart


def find_option_reads(
    flow: Flow, options: Sequence[Sequence[VariableReads]], bits_of: Bits
) -> list[OptionReads]:
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
        found.append(_reads(flow, variables, bits, {node for node, count in shared.items() if count > 1}))
    holders = Counter(node for each in found for node in each.nodes)
    return [
        replace(each, exact=frozenset(node for node in each.exact if holders[node] == 1)) for each in found
    ]


def _reads(
    flow: Flow, variables: Sequence[VariableReads], bits: Sequence[int | None], shared: Set[int]
) -> OptionReads:
    nodes = frozenset[int]().union(*(one.nodes for one in variables))
    if all(each is None for each in bits):
        return OptionReads(nodes, nodes.difference(shared, *(one.vague for one in variables)))
    if len(variables) == 1 and bits[0] is not None:
        masks = find_masks(flow, nodes)
        if masks is not None:
            return _masked(masks, bits[0])
    begin: dict[int, int] = {}
    for one, each in zip(variables, bits, strict=True):
        for node in one.nodes:
            begin[node] = begin.get(node, 0) | (ALL_BITS if each is None else each)
    return OptionReads(nodes, frozenset(), begin)


def _masked(masks: Mapping[int, int], bits: int) -> OptionReads:
    held = {node: mask & bits for node, mask in masks.items() if mask & bits}
    is_one_bit = not bits & (bits - 1)
    exact = [node for node in held if is_one_bit and masks[node] == bits]
    return OptionReads(frozenset(held), frozenset(exact), held)


def all_exact(reads: Iterable[OptionReads]) -> frozenset[int]:
    """What holds the value of some option."""
    return frozenset[int]().union(*(each.exact for each in reads))
