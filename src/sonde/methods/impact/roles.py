"""The role of each option, and which configurations are alike: what all sides of a change say together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sonde.core.impacts import Classes, OptionImpact, Partition, Role
from sonde.methods.impact.likeness import Alike, find_alike
from sonde.methods.impact.option_variables import OptionInCode, nearest_names
from sonde.methods.impact.question import Question
from sonde.methods.impact.related import Relation
from sonde.methods.impact.side import Side
from sonde.methods.impact.suggestions import match_suggestions, suggest


def find_roles(
    question: Question, sides: list[Side]
) -> tuple[tuple[OptionImpact, ...], Partition | None, list[str]]:
    """The role of each option, which configurations are alike, and warnings about unknown variables."""
    active = [side for side in sides if side.ways.are_there]
    if not active:
        return without_ways(question.options), None, []
    options = _with_suggestions(question)
    warnings: list[str] = []
    known: list[bool] = []
    for option in options:
        missing = [
            each
            for each in option.variables
            if not any(side.reads(each, option.file).is_known for side in active)
        ]
        known.append(len(missing) < len(option.variables))
        for variable in missing:
            near = nearest_names(sides[0].program, variable)
            hint = f"; there is {', '.join(near)}" if near else ""
            warnings.append(f"option '{option.option}': the program has no variable '{variable}'{hint}")
    relations: list[Relation | None] = [None] * len(options)
    alike: list[Alike | None] = []
    for side in active:
        if all(relations) and None in alike:
            break  # the other side could not tell more
        relating = side.relating(options)
        for number in range(len(options)):
            relations[number] = relations[number] or relating.relate(number)
        values = [[choice.value for choice in option.choices] for option in options]
        is_open = not question.settings.is_conservative and None not in alike
        alike.append(find_alike(relating, values) if is_open else None)
    found = [_impact(*each) for each in zip(options, known, relations, strict=True)]
    return tuple(found), _partition(found, alike), warnings


def _partition(options: Sequence[OptionImpact], alike: Iterable[Alike | None]) -> Partition | None:
    related = {each.option for each in options if each.role is not Role.UNRELATED}
    parts = []
    for each in alike:
        if each is None:
            return None
        told = tuple(options[number].option for number in each.options)
        parts.append(Classes(told, tuple(each.classes.items()), tuple(sorted(related - set(told)))))
    return Partition(tuple(parts))


def _with_suggestions(question: Question) -> list[OptionInCode]:
    """The options; those without a variable have what the program's own reading of its arguments suggests."""
    if all(each.variables for each in question.options):
        return list(question.options)
    suggested = suggest(question.new)
    return [
        each if each.variables else replace(each, variables=match_suggestions(suggested, each))
        for each in question.options
    ]


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
