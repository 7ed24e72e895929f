"""The role of each option, and which configurations are alike: what all sides of a change say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.impacts import Classes, OptionImpact, Partition, Role
from sonde.methods.impact.findings import Findings
from sonde.methods.impact.likeness import Alike
from sonde.methods.impact.option_variables import OptionInCode, nearest_names
from sonde.methods.impact.program import Program
from sonde.methods.impact.question import Question
from sonde.methods.impact.related import Relation


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
    is_near = any(relation for each in active for relation in each.relations)
    told = [each.relations if is_near else each.behind for each in active]
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
        relation = next((each[number] for each in told if each and each[number] is not None), None)
        found.append(_impact(option, len(missing) < len(option.variables), relation))
    behind = frozenset(each.option for each in found if each.role is Role.RELATED and not is_near)
    if behind:
        return tuple(found), Partition((), behind), warnings
    return tuple(found), _partition(found, [each.alike for each in active]), warnings


def _partition(options: Sequence[OptionImpact], alike: Iterable[Alike | None]) -> Partition | None:
    related = {each.option for each in options if each.role is not Role.UNRELATED}
    parts = []
    for each in alike:
        if each is None:
            return None
        told = tuple(options[number].option for number in each.options)
        parts.append(Classes(told, tuple(each.classes.items()), tuple(sorted(related - set(told)))))
    return Partition(tuple(parts))


def _impact(option: OptionInCode, is_known: bool, relation: Relation | None) -> OptionImpact:
    if relation is not None:
        return OptionImpact(option.option, Role.RELATED, relation.reason, relation.place, option.variables)
    if not option.variables:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable is not known", None, ())
    if not is_known:
        return OptionImpact(option.option, Role.UNKNOWN, "its variable was not found", None, option.variables)
    return OptionImpact(
        option.option, Role.UNRELATED, "it takes no part in any way to hot code", None, option.variables
    )


def without_ways(options: Iterable[OptionInCode]) -> tuple[OptionImpact, ...]:
    """The roles of all options if there is no way."""
    return tuple(
        OptionImpact(each.option, Role.UNRELATED, "the change cannot reach hot code", None, each.variables)
        for each in options
    )
