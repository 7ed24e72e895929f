"""One of the two programs, analysed: the ways of its part of the change, and what takes part in them."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.protocols import Clock
from sonde.methods.impact.command_line.words import CommandLine
from sonde.methods.impact.contents.bits import OptionBits
from sonde.methods.impact.contents.choices import Choosing
from sonde.methods.impact.differences.programs import Differences
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.hot.code import HotCode, Hotness, find_hot_code, find_hot_positions
from sonde.methods.impact.options.reads import VariableReads, find_option_reads
from sonde.methods.impact.options.regions import Regions
from sonde.methods.impact.options.variables import OptionInCode, Reads, find_reads, split_bits
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.cloning import clone_small_routines
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.unused import without_unused
from sonde.methods.impact.question import Question
from sonde.methods.impact.reach.moments import ExecutionOrder
from sonde.methods.impact.reach.reachable import Reachability
from sonde.methods.impact.reach.sources import ChangeSources, find_sources
from sonde.methods.impact.relations.related import Relating
from sonde.methods.impact.ways.code import WayCode
from sonde.methods.impact.ways.finding import Ways, find_ways


class AnalysedSide:
    """One of the two programs, analysed."""

    def __init__(self, differences: Differences, question: Question, is_old: bool, clock: Clock) -> None:
        self.differences, self.question, self.is_old = differences, question, is_old
        settings = question.settings
        program = without_unused(clone_small_routines(differences.old if is_old else differences.new))
        self.program: Program = program
        memory = solve(program, settings.limits, clock)
        self.flow = build_flow(program, memory, are_flags_values=settings.implicit_depth > 0)
        self.reachability = Reachability(self.flow)
        self.sources = self._find_sources()
        self._order = ExecutionOrder(self.flow)
        self._hot = self._find_hot(question.hot)
        self.ways: Ways = self._find_ways(settings.is_conservative)
        if question.warm and not self.ways.are_there:
            self._hot = self._find_hot((*question.hot, *question.warm))
            self.ways = self._find_ways(settings.is_conservative)
        self.regions = Regions(self.flow, self._order, self.reachability)
        self._reads: dict[tuple[str, str], Reads] = {}

    def _find_sources(self) -> ChangeSources:
        """Where the change begins, in code that some configuration may execute."""
        differences, everything = self.differences, self.reachability.everything
        if self.question.settings.is_conservative or self.question.fixed_words is None:
            return find_sources(self.flow, differences, self.is_old, everything)
        choosing = self._choosing(self.question.options)
        live = self.reachability.without(choosing.never)
        return find_sources(self.flow, differences, self.is_old, live, choosing.replaced)

    def _choosing(self, options: Sequence[OptionInCode]) -> Choosing:
        line = CommandLine(self.flow, self.reachability)
        return Choosing(self.flow, line, [each.choices for each in options], self.question.fixed_words)

    def _find_hot(self, named: Sequence[Hotness]) -> HotCode:
        positions, _ = find_hot_positions(self.program, named)
        live = self.reachability.everything
        return find_hot_code(self.flow, {n: each for n, each in positions.items() if n in live})

    def _find_ways(self, is_far: bool) -> Ways:
        depth = self.question.settings.implicit_depth
        return find_ways(self.flow, self._hot, self.sources, depth, self._order, is_far)

    def reads(self, variable: str, file: str) -> Reads:
        """Where a variable is read."""
        key = variable, file
        if key not in self._reads:
            self._reads[key] = find_reads(self.flow, variable, file)
        return self._reads[key]

    def _variable(self, variable: str, file: str) -> VariableReads:
        reads = self.reads(variable, file)
        _, bits = split_bits(variable)
        return VariableReads(reads.nodes, reads.bits if bits is None else bits)

    def relating(self, options: Sequence[OptionInCode], is_far: bool = False) -> Relating:
        """Answers about options; `is_far`: ways count behind the first hot code, too."""
        question = self.question
        ways = self._find_ways(is_far) if is_far else self.ways
        code = WayCode(ways, self.regions, self.reachability)
        choosing = self._choosing(options)
        variables = [[self._variable(each, option.file) for each in option.variables] for option in options]
        is_conservative = question.settings.is_conservative
        bits = OptionBits(choosing)
        reads = find_option_reads(
            variables, (lambda option, nodes: None) if is_conservative else bits.changed
        )
        holdings = [
            choosing.holding(n, [one.nodes for one in each], code.leading) if not is_conservative else None
            for n, each in enumerate(variables)
        ]
        return Relating(
            code,
            reads,
            question.settings.implicit_depth,
            is_conservative,
            holdings,
            () if is_conservative else choosing.never,
            choosing.without,
            choosing.told_apart,
            [frozenset[int]().union(*(one.nodes for one in each)) for each in variables],
        )
