"""Reads and writes DIMACS: a clause a line, and comments `c 12 NAME` that name the variables.

Every variable becomes an on/off option; one without a name is called `x12`. Writing a space of other options
gives each of their values a variable, named `level=9`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sonde.core.options import Option, Value
from sonde.formats.feature_models.errors import ModelError, mistake
from sonde.formats.feature_models.logic import clause, is_on
from sonde.formats.feature_models.names import OptionNames
from sonde.formats.feature_models.normal_form import Clause, clauses_of
from sonde.space.expressions import satisfying
from sonde.space.facts import text_of
from sonde.space.space import Space

MOST_VARIABLES = 100_000

_NAMED = re.compile(r"c\s+(\d{1,9})\$?\s+(\S+)\s*")
_HEADER = re.compile(r"p\s+cnf\s+(\d{1,9})\s+(\d{1,9})\s*")


def read_dimacs(text: str, file: str = "model") -> Space:
    """The space whose configurations satisfy all clauses; raises ModelError."""
    problem = _problem(text, file)
    names = _variable_names(problem, file)
    options = tuple(Option(names[variable], (False, True), False) for variable in names)
    constraints = [
        clause([(is_on(names[abs(each)]), each > 0) for each in literals]) for literals in problem.clauses
    ]
    return Space(options, tuple(dict.fromkeys(constraints)))


def write_dimacs(space: Space) -> str:
    """The space in DIMACS, without help variables; raises ModelError where that takes too many clauses."""
    literals: dict[str, Sequence[int]] = {}  # of each value of an option
    lines: list[str] = []
    clauses: list[Sequence[int]] = []
    for option in space.options:
        first = len(lines) + 1
        if option.is_switch:
            lines.append(f"c {first} {option.name}")
            literals[option.name] = (-first, first)
            continue
        lines += [f"c {first + at} {_value_name(option, each)}" for at, each in enumerate(option.values)]
        values = literals[option.name] = range(first, len(lines) + 1)
        clauses.append(values)
        clauses += [(-one, -other) for other, one in combinations(values, 2)]
    for constraint in space.constraints:
        clauses += [_numbered(each, space, literals) for each in clauses_of(constraint)]
    body = [" ".join(map(str, [*each, 0])) for each in clauses]
    return "\n".join([*lines, f"p cnf {len(lines)} {len(body)}", *body, ""])


@dataclass
class _Problem:
    variables: int
    clauses: list[list[int]] = field(default_factory=list)
    names: dict[int, tuple[int, str]] = field(default_factory=dict)  # with the line of each


def _problem(text: str, file: str) -> _Problem:
    problem: _Problem | None = None
    announced = 0
    names: dict[int, tuple[int, str]] = {}
    literals: list[int] = []
    number = 0
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()
        if not words or words == ["%"]:
            continue
        if words[0] == "c" or line.startswith("c"):
            if named := _NAMED.fullmatch(line.strip()):
                names[int(named[1])] = (number, named[2])
        elif words[0] == "p":
            if problem is not None:
                raise mistake(file, number, "there is a second header. Write 'p cnf VARIABLES CLAUSES' once.")
            header = _HEADER.fullmatch(line.strip())
            if header is None:
                raise mistake(file, number, "the header cannot be read. Write 'p cnf VARIABLES CLAUSES'.")
            problem, announced = _Problem(int(header[1]), names=names), int(header[2])
            if problem.variables > MOST_VARIABLES:
                raise mistake(
                    file, number, f"there are more than {MOST_VARIABLES:,} variables, too many for Sonde."
                )
        elif problem is None:
            raise mistake(
                file, number, "a clause comes before the header. Write 'p cnf VARIABLES CLAUSES' first."
            )
        else:
            for word in words:
                literal = _literal(word, problem.variables, file, number)
                if literal:
                    literals.append(literal)
                    continue
                if not literals:
                    raise mistake(file, number, "a clause is empty, so no configuration is valid. Remove it.")
                problem.clauses.append(literals)
                literals = []
    if problem is None:
        raise mistake(file, max(number, 1), "there is no header. Write 'p cnf VARIABLES CLAUSES' first.")
    if literals:
        raise mistake(file, number, "the last clause does not end with 0. Is the file complete?")
    if len(problem.clauses) != announced:
        raise mistake(
            file,
            number,
            f"the header announces {announced:,} clauses, but there are {len(problem.clauses):,}. "
            "Is the file complete?",
        )
    if problem.variables == 0:
        raise mistake(file, number, "there are no variables, so this is not a feature model.")
    return problem


def _literal(word: str, variables: int, file: str, line: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", word):
        raise mistake(
            file, line, f"'{word[:40]}' is not a literal. Write a number, negative where it is off."
        )
    if abs(int(word)) > variables:
        raise mistake(
            file, line, f"literal {word} is out of range: the header announces {variables:,} variables."
        )
    return int(word)


def _variable_names(problem: _Problem, file: str) -> Mapping[int, str]:
    """The option's name of each variable, in their order."""
    names = OptionNames()
    found: dict[int, str] = {}
    taken = {name for _, name in problem.names.values()}
    for variable in range(1, problem.variables + 1):
        line, name = problem.names.get(variable, (0, f"x{variable}"))
        while not line and name in taken:
            name = f"{name}_"
        if name in names:
            raise mistake(file, line, f"two variables are called '{name}'. Rename one of them.")
        found[variable] = names.add(name)
    return found


def _numbered(parts: Clause, space: Space, literals: Mapping[str, Sequence[int]]) -> list[int]:
    found: set[int] = set()
    for fact, sign in parts:
        holding = zip(literals[fact.option], satisfying(fact, space.option[fact.option]), strict=True)
        found |= {literal for literal, is_so in holding if is_so == sign}
    if not found:
        raise ModelError("a constraint never holds, which DIMACS cannot express. Change it, or remove it.")
    return sorted(found, key=abs)


def _value_name(option: Option, value: Value) -> str:
    written = re.sub(r"\s", "_", text_of(value))
    return f"{option.name}={written}"
