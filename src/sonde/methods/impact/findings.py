"""What one of the two programs tells: its interactions, and how options take part in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sonde.core.findings.impacts import Interaction
from sonde.methods.impact.command_line.suggestions import match_suggestions, suggest
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import Question
from sonde.methods.impact.relations.likeness import Alike, find_alike
from sonde.methods.impact.relations.related import Relation
from sonde.methods.impact.side import AnalysedSide
from sonde.methods.impact.ways.interactions import Interactions


@dataclass(frozen=True)
class AnalysisFacts:
    """About the analysis of one program."""

    points_to: str
    reason: str  # why not the best one; empty if it was
    instructions: int
    indirect_calls: int
    resolved_calls: int


@dataclass(frozen=True)
class Findings:
    """What one program tells: plain values, so that another process may have found them."""

    facts: AnalysisFacts
    interactions: tuple[Interaction, ...]
    has_ways: bool = False  # else nothing is told about options
    options: tuple[OptionInCode, ...] = ()
    known: frozenset[tuple[str, str]] = frozenset()  # variables that the program has, with their files
    relations: tuple[Relation | None, ...] = ()  # of each option, unless the other program has told all
    behind: tuple[Relation | None, ...] = ()  # of the others, behind the first hot code
    alike: Alike | None = None


def find_in(side: AnalysedSide, before: Findings | None = None) -> Findings:
    """What an analysed program tells; `before` is what the other one has told, if it has ways."""
    question = side.question
    interactions = Interactions(side.ways, question.settings.implicit_depth, side.is_old).find()
    found = Findings(facts_of(side.flow), tuple(interactions))
    if not side.ways.are_there:
        return found
    options = _with_suggestions(question)
    variables = {(each, option.file) for option in options for each in option.variables}
    found = replace(
        found,
        has_ways=True,
        options=options,
        known=frozenset(each for each in variables if side.reads(*each).is_known),
    )
    are_told_apart = before is None or before.alike is not None
    if before is not None and all(before.relations) and not are_told_apart:
        return found
    relating = side.relating(options)
    relations = tuple(map(relating.relate, range(len(options))))
    known = before.relations if before else ()
    unrelated = {n for n, each in enumerate(relations) if not each and not (known and known[n])}
    if unrelated and not question.settings.is_conservative:
        farther = side.relating(options, is_far=True)
        behind = tuple(farther.relate(n) if n in unrelated else None for n in range(len(options)))
        found = replace(found, behind=behind)
    values = [[choice.value for choice in option.choices] for option in options]
    is_open = are_told_apart and not question.settings.is_conservative
    return replace(found, relations=relations, alike=find_alike(relating, values) if is_open else None)


def facts_of(flow: Flow) -> AnalysisFacts:
    """About the analysis that a flow graph comes from."""
    memory = flow.memory
    return AnalysisFacts(
        memory.points_to,
        memory.reason,
        sum(len(each.instructions) for each in flow.program.routines),
        memory.indirect_calls,
        memory.resolved_calls,
    )


def _with_suggestions(question: Question) -> tuple[OptionInCode, ...]:
    """The options; those without a variable have what the program's own reading of its arguments suggests."""
    if all(each.variables for each in question.options):
        return question.options
    suggested = suggest(question.new)
    return tuple(
        each if each.variables else replace(each, variables=match_suggestions(suggested, each))
        for each in question.options
    )
