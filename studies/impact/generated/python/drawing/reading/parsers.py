"""Options read by argparse and optparse."""

from __future__ import annotations

import random
from collections.abc import Sequence

from studies.impact.generated.knobs import Kind
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.homes import Style, initial
from studies.impact.generated.python.drawing.reading.spelling import Spelled


def by_argparse(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """Statements of main; a function makes the parser."""
    rng = draft.rng
    draft.library("__main__", "import argparse")
    add = [f"parser.add_argument({_argparse(rng, each)})" for each in spelled]
    lines = ["parser = argparse.ArgumentParser()", *add]
    if rng.random() < 0.3:
        kept = [*lines, "return parser"]
        draft.add("__main__", "def make_parser():\n" + "\n".join(f"    {line}" for line in kept))
        return ["args = make_parser().parse_args()", *_kept(spelled)]
    if rng.random() < 0.5:
        kept = [*lines, "return parser.parse_args()"]
        draft.add("__main__", "def read():\n" + "\n".join(f"    {line}" for line in kept))
        return ["args = read()", *_kept(spelled)]
    return [*lines, "args = parser.parse_args()", *_kept(spelled)]


def _argparse(rng: random.Random, spelled: Spelled) -> str:
    knob = spelled.home.knob
    words = [repr(spelled.flag)]
    if spelled.flag.lstrip("-") != knob.name:
        words.append(f"dest={knob.name!r}")
    if knob.kind is Kind.SWITCH:
        words.append('action="store_true"')
    elif knob.kind is Kind.MODE:
        words += [f"choices={list(knob.words)!r}", f"default={initial(knob)}"]
    else:
        words += ["type=int", f"default={initial(knob)}"]
    if rng.random() < 0.2:
        words.append(f"help='{knob.name} of the work'")
    return ", ".join(words)


def by_optparse(draft: Draft, spelled: Sequence[Spelled]) -> list[str]:
    """Statements of main."""
    draft.library("__main__", "import optparse")
    lines = ["parser = optparse.OptionParser()"]
    for each in spelled:
        knob = each.home.knob
        words = [repr(each.flag), f"dest={knob.name!r}"]
        if knob.kind is Kind.SWITCH:
            words += ["action='store_true'", "default=False"]
        elif knob.kind is Kind.MODE:
            words.append(f"default={initial(knob)}")
        else:
            words += ["type='int'", f"default={initial(knob)}"]
        lines.append(f"parser.add_option({', '.join(words)})")
    return [*lines, "args, rest = parser.parse_args()", *_kept(spelled)]


def _kept(spelled: Sequence[Spelled]) -> list[str]:
    return [
        f"{each.home.target} = args.{each.home.knob.name}"
        for each in spelled
        if each.home.style is not Style.ARGUMENTS
    ]
