"""A rough reader of makefiles: which programs does the default goal link?

It takes every branch of a conditional, expands plain variables and knows no functions; what it cannot follow
it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.project_file.starter.files import read

NAMES = ("GNUmakefile", "makefile", "Makefile")

_ASSIGNMENT = re.compile(r"(?:export\s+|override\s+)*([\w.-]+)\s*(\+|\?|::?)?=\s*(.*)")
_RULE = re.compile(r"([^:=\t#][^:=#]*?)\s*::?(?!=)\s*([^;]*)(?:;(.*))?")
_REFERENCE = re.compile(r"\$(?:\(([^()${}]*)\)|\{([^()${}]*)\}|(\w))")
_LINKED = re.compile(r"(?:^|\s)-o\s*([^\s;&|]+)")
_SUBMAKE = re.compile(r"\$[({]MAKE[)}](?=[^;&|]*?\s-C\s*(?P<folder>\S+))[^;&|]*")
_NO_PROGRAM = (".o", ".lo", ".a", ".so", ".d", ".dylib", ".dll", ".obj", ".la", ".wasm")
_DEEPEST = 8


@dataclass(frozen=True)
class Rule:
    """How a target is made."""

    prerequisites: tuple[str, ...]
    recipe: tuple[str, ...]


@dataclass(frozen=True)
class Makefile:
    """The rules of a makefile, and what it makes if nobody says otherwise."""

    rules: Mapping[str, Rule]
    goal: str
    variables: Mapping[str, str]


def find_makefile(folder: Path) -> Path | None:
    """The file that make would read in `folder`."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def linked_programs(folder: Path, goal: str = "", depth: int = 0) -> Iterator[str]:
    """The programs that `make` leaves, as paths below `folder`, in the order in which they are made."""
    file = find_makefile(folder)
    if file is None or depth > 2:
        return
    makefile = read_makefile(read(file))
    seen: set[str] = set()
    todo = [goal or makefile.goal]
    while todo and len(seen) < 200:
        target = todo.pop(0)
        if target in seen:
            continue
        seen.add(target)
        rule = makefile.rules.get(target, Rule((), ()))
        yield from _made_by(folder, target, rule, makefile, depth)
        todo = [*rule.prerequisites, *todo]


def read_makefile(text: str) -> Makefile:
    """The rules and variables of a makefile, all references expanded but those in recipes."""
    variables: dict[str, str] = {"RM": "rm -f"}
    found: dict[str, Rule] = {}
    targets: list[str] = []
    goal = ""
    for line in re.sub(r"\\\n\s*", " ", text).split("\n"):
        if line.startswith("\t"):
            for target in targets:
                rule = found[target]
                found[target] = Rule(rule.prerequisites, (*rule.recipe, line.strip().lstrip("@-+")))
            continue
        plain = line.partition("#")[0].strip()
        assignment = _ASSIGNMENT.fullmatch(plain)
        if assignment:
            _assign(variables, *assignment.groups())
        elif rule_line := _RULE.fullmatch(plain):
            targets = expand(rule_line[1], variables).split()
            prerequisites = tuple(expand(rule_line[2], variables).replace("|", " ").split())
            for target in targets:
                old = found.get(target, Rule((), ()))
                recipe = (rule_line[3].strip(),) if rule_line[3] else ()
                found[target] = Rule((*old.prerequisites, *prerequisites), (*old.recipe, *recipe))
                if not goal and not target.startswith(".") and "%" not in target:
                    goal = target
    return Makefile(found, variables.get(".DEFAULT_GOAL", "") or goal, variables)


def expand(text: str, variables: Mapping[str, str]) -> str:
    """`text` with its references replaced; what is not known becomes nothing."""

    def replaced(match: re.Match[str]) -> str:
        name = match[1] or match[2] or match[3] or ""
        name, _, substitution = name.partition(":")
        value = variables.get(name.strip(), "")
        old, is_substitution, new = substitution.partition("=")
        if is_substitution and "%" not in substitution:
            value = re.sub(rf"{re.escape(old)}(?=\s|$)", new.replace("\\", r"\\"), value)
        return value

    for _ in range(_DEEPEST):
        replacement = _REFERENCE.sub(replaced, text)
        if replacement == text:
            break
        text = replacement
    return text


def _assign(variables: dict[str, str], name: str, kind: str | None, value: str) -> None:
    if kind == "+":
        variables[name] = f"{variables.get(name, '')} {value}".strip()
    elif kind != "?" or name not in variables:
        # Expanded at once, so that a variable may be defined with its own old value.
        variables[name] = expand(value, variables) if kind in (":", "::") else value


def _made_by(folder: Path, target: str, rule: Rule, makefile: Makefile, depth: int) -> Iterator[str]:
    for line in rule.recipe:
        for call in _SUBMAKE.finditer(line):
            below = expand(call["folder"], makefile.variables).strip("/\"'")
            if below and (folder / below).is_dir():
                words = expand(call.group(), makefile.variables).split()
                goal = words[-1] if words[-1] in _rules_of(folder / below) else ""
                inner = linked_programs(folder / below, goal, depth + 1)
                yield from (f"{below}/{program}" for program in inner)
        written = expand(line.replace("$@", target).replace("$(@)", target), makefile.variables)
        if not re.search(r"\s-c(\s|$)|\s-shared(\s|$)|\s-E(\s|$)", written):
            yield from (name for name in _LINKED.findall(written) if _is_program(name))
    if not rule.recipe and _is_linked_implicitly(folder, target, rule):
        yield target


def _rules_of(folder: Path) -> Mapping[str, Rule]:
    file = find_makefile(folder)
    return read_makefile(read(file)).rules if file else {}


def _is_linked_implicitly(folder: Path, target: str, rule: Rule) -> bool:
    """Whether make's own rules link it: from objects of which one has its name, or from a source file."""
    from_objects = any(prerequisite.endswith(".o") for prerequisite in rule.prerequisites)
    has_source = any((folder / f"{target}{suffix}").is_file() for suffix in (".c", ".cc", ".cpp"))
    named_object = f"{target}.o" in rule.prerequisites
    return _is_program(target) and ((from_objects and named_object) or has_source)


def _is_program(name: str) -> bool:
    return (
        not name.endswith(_NO_PROGRAM)
        and not re.search(r"[$(){}*%\"'`]", name)
        and name not in ("-", "/dev/null")
    )
