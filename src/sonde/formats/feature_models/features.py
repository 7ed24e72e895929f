"""The options of an SPLConqueror model as they are written, with their lines."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sonde.core.options import Value
from sonde.formats.feature_models.arithmetic import read_sum
from sonde.formats.feature_models.elements import Element
from sonde.formats.feature_models.errors import UnreadableModelText, mistake

MOST_LEVELS = 1000

_NO_OUTPUT = "noOutput"  # how SPLConqueror marks an option that adds nothing to the command


@dataclass(frozen=True)
class Feature:
    """An option of the model; without levels it is on or off."""

    name: str
    line: int
    parent: str
    is_optional: bool
    excluded: tuple[tuple[str, ...], ...]  # none of each list
    implied: tuple[tuple[str, ...], ...]  # one of each list
    words: str
    levels: tuple[Value, ...] = ()
    variables: tuple[str, ...] = ()  # `file:line` of each declaration, as VaRA's models have it


def read_features(model: Element, file: str) -> tuple[Feature, ...]:
    """All options of a model: the on/off options, then the numbers."""
    features: dict[str, Feature] = {}
    for section, is_numeric in (("binaryOptions", False), ("numericOptions", True)):
        for part in model.all(section):
            for element in part.all("configurationOption"):
                feature = _feature(element, is_numeric, file)
                if feature.name in features:
                    raise mistake(
                        file,
                        element.line,
                        f"option '{feature.name}' is already defined in line {features[feature.name].line}. "
                        "Rename or remove one of them.",
                    )
                features[feature.name] = feature
    if not features:
        raise mistake(file, model.line, "the model has no options. Write <binaryOptions> with some.")
    return tuple(features.values())


def refuse_cycles(
    features: Iterable[Feature], parent_of: Callable[[Feature], Feature | None], file: str
) -> None:
    """Raise ModelError if an option is its own ancestor."""
    sound: set[str] = set()
    for feature in features:
        path: dict[str, None] = {}
        above: Feature | None = feature
        while above is not None and above.name not in sound:
            if above.name in path:
                names = " -> ".join([*list(path)[list(path).index(above.name) :], above.name])
                raise mistake(
                    file,
                    above.line,
                    f"option '{above.name}' is its own ancestor: {names}. Change one of their parents.",
                )
            path[above.name] = None
            above = parent_of(above)
        sound.update(path)


def _feature(element: Element, is_numeric: bool, file: str) -> Feature:
    name = element.text_of("name")
    if not name:
        raise mistake(file, element.line, "an option has no name. Write <name>...</name> in it.")
    try:
        levels = _levels(element, name) if is_numeric else ()
    except UnreadableModelText as error:
        raise mistake(file, element.line, f"option '{name}': {error}.") from None
    prefix, postfix = _escaped(element.text_of("prefix")), _escaped(element.text_of("postfix"))
    output = element.text_of("outputString").replace(_NO_OUTPUT, "")
    words = f"{prefix}{{value}}{postfix}" if prefix or postfix else ""
    return Feature(
        name=name,
        line=element.line,
        parent=element.text_of("parent"),
        is_optional=element.text_of("optional").lower() == "true",
        excluded=_lists(element.first("excludedOptions")),
        implied=_lists(element.first("impliedOptions")),
        words=_splittable(words if is_numeric else _escaped(output)),
        levels=levels,
        variables=_declarations(element),
    )


def _declarations(element: Element) -> tuple[str, ...]:
    """Where the program declares the variables of an option: VaRA's `<locations>`."""
    found = []
    for ranges in (*element.all("locations"), element):
        for each in (*ranges.all("sourceRange"), *ranges.all("location")):
            start = each.first("start")
            path, line = each.text_of("path"), start.text_of("line") if start else ""
            if path and line.isdigit():
                found.append(f"{path}:{line}")
    return tuple(dict.fromkeys(found))


def _lists(element: Element | None) -> tuple[tuple[str, ...], ...]:
    lists = [each.text.split("|") for each in element.children] if element else []
    stripped = (tuple(name.strip() for name in names if name.strip()) for names in lists)
    return tuple(names for names in stripped if names)


def _levels(element: Element, name: str) -> tuple[Value, ...]:
    written = element.text_of("values")
    if written:
        levels = [_number(text, "values") for text in re.split(r"[;\s]+", written.strip("();")) if text]
    else:
        levels = _steps(element, name)
    flag = element.text_of("deselectedFlag")
    if flag:  # the value that stands for an optional number that is not chosen
        levels.append(_number(flag, "deselectedFlag"))
    if len(levels) > MOST_LEVELS:
        raise UnreadableModelText(
            f"it has more than {MOST_LEVELS:,} values. Give it fewer, with a larger step"
        )
    if not levels:
        raise UnreadableModelText("it has no values. Write <values>1;2;3</values>")
    return tuple(int(level) if level.is_integer() else level for level in sorted(set(levels)))


def _steps(element: Element, name: str) -> list[float]:
    """From the smallest to the largest value, as the step function leads from one (`n`) to the next."""
    lowest = _number(element.text_of("minValue"), "minValue")
    highest = _number(element.text_of("maxValue"), "maxValue")
    function = read_sum(element.text_of("stepFunction") or "n + 1")
    unknown = [each for each in function.names if each not in ("n", name)]
    if unknown:
        raise UnreadableModelText(
            f"its stepFunction has '{unknown[0]}', which is not known there. Write n for its value"
        )
    levels: list[float] = []
    value = lowest
    while value <= highest and len(levels) <= MOST_LEVELS:
        levels.append(value)
        following = round(function.value({"n": value, name: value}), 3)
        if not following > value:
            raise UnreadableModelText(
                f"its stepFunction does not lead beyond {value:g}. Write one that grows, as n + 1"
            )
        value = following
    return levels


def _number(text: str, what: str) -> float:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UnreadableModelText(f"its {what} '{text}' is not a number. Write digits")
    return number


def _escaped(text: str) -> str:
    """As the words of an option write it: braces are doubled."""
    return text.replace("{", "{{").replace("}", "}}")


def _splittable(words: str) -> str:
    """The words if they can be split as a shell would, else as a single one."""
    try:
        shlex.split(words)
    except ValueError:
        return shlex.quote(words)
    return words
