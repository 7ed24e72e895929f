"""Options read by a loop over the words of the command line, and from the environment."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.knobs import Kind
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.homes import Style
from studies.impact.generated.python.drawing.reading.spelling import Spelled


def begin_arguments(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """What a parser would give: an object with the defaults."""
    kept = [each.home for each in spelled if each.home.style is Style.ARGUMENTS]
    if not kept:
        return []
    lines = "\n".join(f"        self.{each.knob.name} = {each.initial}" for each in kept)
    draft.add("__main__", f"class Arguments:\n    def __init__(self):\n{lines}")
    return ["args = Arguments()"]


def by_comparisons(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """A comparison for each word: `if word == "--fast": ...`."""
    draft.library("__main__", "import sys")
    lines = ["for word in sys.argv[1:]:"]
    keyword = "if"
    for each in spelled:
        flag, target = each.flag, each.home.target
        if each.home.knob.kind is Kind.SWITCH:
            lines += [f"    {keyword} word == {flag!r}:", f"        {target} = True"]
        else:
            start = f"{flag}="
            value = _value(each, f"word[{len(start)}:]")
            lines += [f"    {keyword} word.startswith({start!r}):", f"        {target} = {value}"]
        keyword = "elif"
    return [*begin_arguments(draft, spelled), *lines, "    else:", "        sys.exit('what is ' + word)"]


def by_membership(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """A look at all words for each option: `fast = "--fast" in sys.argv`."""
    draft.library("__main__", "import sys")
    lines = []
    for each in spelled:
        if each.home.knob.kind is Kind.SWITCH:
            lines.append(f"{each.home.target} = {each.flag!r} in sys.argv")
        else:
            start = f"{each.flag}="
            value = _value(each, f"word[{len(start)}:]")
            lines += ["for word in sys.argv[1:]:", f"    if word.startswith({start!r}):"]
            lines.append(f"        {each.home.target} = {value}")
    return [*begin_arguments(draft, spelled), *lines]


def by_words(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """A dictionary says which word means which option; the rest is taken apart at `=`."""
    draft.library("__main__", "import sys")
    rows = ", ".join(f"{each.flag!r}: {each.home.knob.name!r}" for each in spelled)
    draft.add("__main__", f"WORDS = {{{rows}}}")
    numbers = [each.home.knob.name for each in spelled if each.home.knob.kind is Kind.LEVEL]
    draft.add(
        "__main__",
        f"""
def read(words):
    found = {{}}
    for word in words:
        flag, sign, value = word.partition("=")
        name = WORDS[flag]
        if not sign:
            found[name] = True
        elif name in {tuple(numbers)!r}:
            found[name] = int(value)
        else:
            found[name] = value
    return found
""",
    )
    takes = [
        f"{each.home.target} = found.get({each.home.knob.name!r}, {each.home.initial})" for each in spelled
    ]
    return [*begin_arguments(draft, spelled), "found = read(sys.argv[1:])", *takes]


def by_getopt(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """The module getopt, and a loop over what it found."""
    draft.library("__main__", "import sys")
    draft.library("__main__", "import getopt")
    names = [each.flag.lstrip("-") + ("" if each.home.knob.kind is Kind.SWITCH else "=") for each in spelled]
    lines = [f"pairs, rest = getopt.getopt(sys.argv[1:], '', {names!r})", "for name, value in pairs:"]
    keyword = "if"
    for each in spelled:
        is_switch = each.home.knob.kind is Kind.SWITCH
        value = "True" if is_switch else _value(each, "value")
        lines += [f"    {keyword} name == {each.flag!r}:", f"        {each.home.target} = {value}"]
        keyword = "elif"
    return [*begin_arguments(draft, spelled), *lines]


def by_environment(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """Variables of the environment."""
    if spelled:
        draft.library("__main__", "import os")
    lines = []
    for each in spelled:
        if each.home.knob.kind is Kind.SWITCH:
            lines.append(f"{each.home.target} = os.environ.get({each.variable!r}) == '1'")
        else:
            read = f"os.environ.get({each.variable!r}, {str(_default(each))!r})"
            lines.append(f"{each.home.target} = {_value(each, read)}")
    return lines


def _default(spelled: Spelled) -> str | int:
    knob = spelled.home.knob
    return knob.words[0] if knob.kind is Kind.MODE else knob.default


def _value(spelled: Spelled, text: str) -> str:
    return f"int({text})" if spelled.home.knob.kind is Kind.LEVEL else text
