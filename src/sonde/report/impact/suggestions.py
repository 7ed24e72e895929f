"""Which variables keep the options of a command line, as lines for a project file."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.impacts import Suggestion
from sonde.report.flow import paragraph
from sonde.report.impact.text import place_text
from sonde.report.tables import table

NOTHING = (
    "No option was recognised: the program does not call getopt or getopt_long, and does not "
    "compare a command-line argument with a literal. Add the variables to sonde.toml by hand: "
    'variable = "opts.level".'
)


def suggestions_text(suggestions: Sequence[Suggestion], most: int) -> str:
    """One line an option and variable, and how to use it."""
    if not suggestions:
        return paragraph(NOTHING, most)
    rows = [
        (", ".join(each.words), each.variable, ", ".join(each.values), place_text(each.place))
        for each in suggestions
    ]
    shown = table(("words", "variable", "values", "set at"), rows)
    first = suggestions[0]
    example = f'[options.NAME]\nwords = "{first.words[-1]}"\nvariable = "{first.variable}"'
    hint = "Add the correct ones to sonde.toml, for example:"
    return f"{shown}\n\n{hint}\n\n{example}"


def suggestions_json(suggestions: Sequence[Suggestion]) -> dict[str, object]:
    """Every suggestion."""
    return {
        "suggestions": [
            {
                "words": list(each.words),
                "variable": each.variable,
                "values": list(each.values),
                "file": each.place.file or None,
                "line": each.place.line or None,
            }
            for each in suggestions
        ]
    }
