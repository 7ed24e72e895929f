"""What `sonde check` is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sonde.core.errors import UsageError
from sonde.methods.comparison.definition_6 import Definition6
from sonde.methods.comparison.rules import THRESHOLDS, ComparisonRules
from sonde.workflows.thresholds import parse_threshold


@dataclass(frozen=True)
class CheckRequest:
    """What is asked, beside benchmarks and configurations."""

    revision: str = ""  # empty: the end of the branch
    base: str = ""  # empty: its first parent
    takes_all: bool = False  # measure every case, whatever could be left out
    strength: int = 2  # so many values meet in every way among the configurations that are measured
    bisect: str = ""  # a range in which the cause is looked for; empty: it is not
    compile_commands: str = ""
    rules: ComparisonRules = field(default_factory=ComparisonRules)
    project_file: str = ""  # by which the check goes, as `REVISION:PATH`; empty: that of the base
    audits: int = 2  # cases that impact or sampling left out and that are measured all the same


def ends_of(written: str) -> tuple[str, str]:
    """The base and the head of `BASE..HEAD`; a name alone is the head, and its base is its parent."""
    if "..." in written:
        raise UsageError(f"'{written}' is not a range. Write BASE..HEAD with two dots.")
    base, dots, head = written.partition("..")
    if ".." in head:
        raise UsageError(
            f"'{written}' has two bases. Write BASE..HEAD, such as '{base}..{head.split('..')[-1]}'."
        )
    if dots and not base.strip():
        raise UsageError(
            f"'{written}' has no base. Perhaps a variable of the CI job is empty. Write "
            f"BASE..HEAD, or only '{head or 'HEAD'}' to compare it with its first parent."
        )
    return (base, head) if dots else ("", base)


def rules_for(threshold: str, pairs: int, definition_6: str = "") -> ComparisonRules:
    """How to decide, with one threshold for all metrics if the user gives one."""
    thresholds = dict.fromkeys(THRESHOLDS, parse_threshold(threshold)) if threshold else THRESHOLDS
    return ComparisonRules(
        thresholds=thresholds, most_pairs=pairs, definition_6=parse_definition_6(definition_6)
    )


def parse_definition_6(written: str) -> Definition6:
    """The numbers of Definition 6: `epsilon=10%,k=3`, or one of them."""
    found = Definition6()
    for part in filter(None, written.split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if name == "epsilon":
            found = replace(found, threshold=parse_threshold(value))
        elif name == "k" and value.replace(".", "", 1).isdecimal():
            found = replace(found, deviations=float(value))
        else:
            raise UsageError(f"--definition-6 {written}: '{part}' is unknown. Write epsilon=10%,k=3.")
    return found
