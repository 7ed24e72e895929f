"""Which functions the addresses in a run of callgrind mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from sonde.core.evidence import Key, ProfiledFunction
from sonde.effects.profiles.functions import Functions, code_of, read_functions
from sonde.effects.profiles.logs import Loaded
from sonde.effects.profiles.places import RunPaths
from sonde.formats.callgrind.costs import NO_OBJECT, Costs, Spot
from sonde.formats.callgrind.nodes import CallGraph, CodePiece, Elsewhere, NamelessCode, Node


class Naming:
    """Names the spots of one run."""

    def __init__(self, places: RunPaths) -> None:
        self._places = places
        self._functions: dict[str, Functions | None] = {}
        self._outputs: dict[str, str | None] = {}
        self._code: dict[str, tuple[tuple[int, int], ...]] = {}

    def is_located(self, path: str) -> bool:
        """Whether addresses are needed to name what lies in an object."""
        return path == NO_OBJECT or self._output(path) is not None

    def add(self, costs: Costs, loaded: Sequence[Loaded], graph: CallGraph) -> None:
        """Add the costs of a program, in which these files were loaded, to the graph."""
        self._learn(costs)
        nodes: dict[Spot, Node] = {}

        def node(spot: Spot) -> Node:
            if spot not in nodes:
                nodes[spot] = self._name(spot, loaded)
            return nodes[spot]

        for spot, cost in costs.own.items():
            graph.own[node(spot)] += cost
            if instruction := self._instruction(spot, node(spot)):
                graph.instructions[instruction] += cost
        for (caller, callee), (number, cost) in costs.calls.items():
            edge = (node(caller), node(callee))
            graph.calls[edge] += number
            graph.costs[edge] += cost
            if isinstance(edge[1], Elsewhere) and (instruction := self._instruction(caller, edge[0])):
                graph.calls_elsewhere[instruction, edge[1]] += cost

    def _learn(self, costs: Costs) -> None:
        addresses: defaultdict[str, list[int]] = defaultdict(list)
        for path, at in costs.own:
            if isinstance(at, int) and path != NO_OBJECT:
                addresses[path].append(at)
        for path, many in addresses.items():
            functions = self._functions_of(self._output(path) or path)
            if functions:
                functions.learn(many)

    def _instruction(self, spot: Spot, node: Node) -> CodePiece | None:
        """Where in its function a spot lies; None if that is not known."""
        path, at = spot
        if not isinstance(node, ProfiledFunction) or isinstance(at, str) or path == NO_OBJECT:
            return None
        functions = self._functions_of(node.output)
        offset = functions.offset(Key(node.output, node.source, node.name), at) if functions else None
        return None if offset is None else CodePiece(node, offset)

    def _name(self, spot: Spot, loaded: Sequence[Loaded]) -> Node:
        path, at = spot
        if isinstance(at, str):
            return Elsewhere(self._places.outside(path), at)
        if path != NO_OBJECT:
            return self._name_in_output(self._output(path) or path, at)
        if not loaded:
            return NamelessCode(NO_OBJECT)  # it may be of any file
        found = {node for each in loaded for node in self._name_in_memory(each, at)}
        if len(found) == 1:
            return found.pop()
        # Of several files that lay there one after the other, one may be of the build.
        in_build = any(not isinstance(node, Elsewhere) for node in found)
        return NamelessCode(NO_OBJECT) if in_build else Elsewhere(NO_OBJECT, hex(at))

    def _name_in_memory(self, loaded: Loaded, at: int) -> list[Node]:
        own = at - loaded.moved_by
        if not any(begin <= own < end for begin, end in self._code_of(loaded.file)):
            return []
        output = self._output(loaded.file)
        outside = Elsewhere(self._places.outside(loaded.file), hex(own))
        return [outside if output is None else self._name_in_output(output, own)]

    def _name_in_output(self, output: str, at: int) -> Node:
        functions = self._functions_of(output)
        key = functions.at(at) if functions else None
        return ProfiledFunction(*key) if key else NamelessCode(output)

    def _functions_of(self, output: str) -> Functions | None:
        if output not in self._functions:
            self._functions[output] = read_functions(output, self._places.in_build(output))
        return self._functions[output]

    def _output(self, path: str) -> str | None:
        if path not in self._outputs:
            self._outputs[path] = self._places.output(path) or self._places.original(path)
        return self._outputs[path]

    def _code_of(self, path: str) -> tuple[tuple[int, int], ...]:
        if path not in self._code:
            output = self._output(path)
            file: Path = self._places.on_machine(path) if output is None else self._places.in_build(output)
            self._code[path] = code_of(file)
        return self._code[path]
