"""The role of each option, and which configurations are alike: what all sides of a change say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.findings.impacts import Classes, OptionImpact, Partition, Role
from sonde.methods.impact.findings import Findings
from sonde.methods.impact.options.variables import OptionInCode, nearest_names
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.question import Question
from sonde.methods.impact.relations.likeness import Alike
from sonde.methods.impact.relations.related import Relation


def find_roles(
    question: Question, program: Program, findings: Sequence[Findings]
) -> tuple[tuple[OptionImpact, ...], Partition | None, list[str]]:
    """The role of each option, which configurations are alike, and warnings about unknown variables.

    `program` is one of those in which they were looked for.
    """
    active = [each for each in findings if each.has_ways]
    if not active:
        return without_ways(question.options), None, []
    warnings: list[str] = []
    found: list[OptionImpact] = []
    for number, option in enumerate(active[0].options):
        missing = [
            variable
            for variable in option.variables
            if not any((variable, option.file) in each.known for each in active)
        ]
        for variable in missing:
            near = nearest_names(program, variable)
            hint = f"; there is {', '.join(near)}" if near else ""
            warnings.append(f"option '{option.option}': the program has no variable '{variable}'{hint}")
        found.append(_impact(option, len(missing) < len(option.variables), *_relation(active, number)))
    return tuple(found), _partition(found, [each.alike for each in active]), warnings


def _relation(active: Sequence[Findings], option: int) -> tuple[Relation | None, Role]:
    """How an option takes part: up to the first hot code, if it does so in any program, or behind it."""
    near = _first((each.relations for each in active), option)
    behind = _first((each.behind for each in active), option)
    return (near, Role.RELATED) if near else (behind, Role.BEHIND)


def _first(relations: Iterable[Sequence[Relation | None]], option: int) -> Relation | None:
    return next((each[option] for each in relations if each and each[option]), None)


def _partition(options: Sequence[OptionImpact], alike: Iterable[Alike | None]) -> Partition | None:
    related = {each.option for each in options if each.role in (Role.RELATED, Role.UNKNOWN)}
    parts = []
    for each in alike:
        if each is None:
            return None
        told = tuple(options[number].option for number in each.options)
        parts.append(Classes(told, tuple(each.classes.items()), tuple(sorted(related - set(told)))))
    return Partition(tuple(parts))


def _impact(option: OptionInCode, is_known: bool, relation: Relation | None, role: Role) -> OptionImpact:
    if relation is not None:
        return OptionImpact(option.option, role, relation.reason, relation.place, option.variables)
    if not option.variables:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable is unknown", None, ())
    if not is_known:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable was not found", None, option.variables)
    return OptionImpact(
        option.option, Role.UNRELATED, "no path to hot code depends on it", None, option.variables
    )


def without_ways(options: Iterable[OptionInCode]) -> tuple[OptionImpact, ...]:
    """The roles of all options if there is no way."""
    return tuple(
        OptionImpact(each.option, Role.UNRELATED, "the change cannot reach hot code", None, each.variables)
        for each in options
    )
