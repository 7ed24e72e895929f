"""Which variables keep the options of the command line, as `argparse`, `optparse` and `click` are told."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from sonde.core.code import SourceLine
from sonde.core.findings.impacts import Suggestion
from sonde.formats.python_source.code.command_line import option_name, option_words
from sonde.formats.python_source.names.scopes import scopes_of
from sonde.formats.python_source.names.vocabulary import FUNCTIONS, last_name
from sonde.formats.python_source.sources import PythonSource

ADDS = ("add_argument", "add_option")
PARSES = ("parse_args", "parse_known_args")


def suggest_python(sources: Iterable[PythonSource]) -> tuple[Suggestion, ...]:
    """Attributes of what `parse_args` gives, and parameters of functions that `click` calls."""
    sources = tuple(sources)
    holders = list(dict.fromkeys(name for source in sources for name in _holders(source.tree)))
    found: list[Suggestion] = []
    for source in sources:
        found += _of_argparse(source, holders[0] if holders else "args")
        found += _of_click(source)
    return tuple(dict.fromkeys(found))


def _holders(tree: ast.Module) -> Iterator[str]:
    """The variables that what is parsed is assigned to, or that are handed it by another function."""
    for each in ast.walk(tree):
        if not isinstance(each, ast.Assign) or not isinstance(each.value, ast.Call):
            continue
        for target in each.targets if last_name(each.value.func) in PARSES else ():
            first = target.elts[0] if isinstance(target, ast.Tuple) else target
            if isinstance(first, ast.Name | ast.Attribute):
                yield ast.unparse(first)


def _of_argparse(source: PythonSource, holder: str) -> Iterator[Suggestion]:
    for each in ast.walk(source.tree):
        if isinstance(each, ast.Call) and last_name(each.func) in ADDS:
            name = option_name(each)
            words = tuple(word for word in option_words(each) if word.startswith("-"))
            if name and words:
                yield Suggestion(words, f"{holder}.{name}", (), SourceLine(source.file, each.lineno))


def _of_click(source: PythonSource) -> Iterator[Suggestion]:
    _, scopes = scopes_of(source.tree, source.module)
    for each in ast.walk(source.tree):
        if not isinstance(each, FUNCTIONS):
            continue
        parameters = {one.arg for one in (*each.args.args, *each.args.kwonlyargs)}
        for decorator in each.decorator_list:
            if not isinstance(decorator, ast.Call) or last_name(decorator) != "option":
                continue
            words = option_words(decorator)
            plain = [word for word in words if not word.startswith("-")]
            name = plain[0] if plain else option_name(decorator).partition("/")[0]
            flags = tuple(part for word in words if word.startswith("-") for part in word.split("/"))
            if name in parameters and flags:
                variable = f"{scopes[id(each)].qualname}:{name}"
                yield Suggestion(flags, variable, (), SourceLine(source.file, decorator.lineno))
