"""The text of a first project file."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable

from sonde.effects.project_file.starter.guesses import LIST_OUTPUTS, CommandGuess, Guess
from sonde.effects.project_file.starter.taken_over import constraint_lines, option_lines, takes_words
from sonde.space.space import Space

_OPTIONS = """\
# Options of the program, one table each; {options} in a command is replaced by the words of all of them.
# [options.checksum]            # on or off
# words = "--checksum"
#
# [options.level]               # a number
# levels = [1, 5, 9]
# default = 5
# words = "--level={value}"
#
# [options.algorithm]           # one of several
# values = ["fast", "small"]
# words = "--algorithm {value}"
#
# Constraints between options are at the top of the file:
# constraints = ["checksum implies level >= 5"]
"""


def write_starter(guess: Guess, suggestions: Iterable[str], space: Space | None = None) -> str:
    """A commented project file that says what was guessed and what to change, with the options of `space`."""
    origin = f", guessed from {guess.evidence}" if guess.evidence else ""
    return "\n".join(
        [
            f"# Sonde's project file{origin}. 'sonde schema' lists all keys.",
            "# Check that it runs with 'sonde measure', then make the benchmark real.",
            "",
            'repository = "."',
            '# branch = "main"  # the branch that is checked out, if not given',
            "",
            *(constraint_lines(space) if space else []),
            *_build(guess),
            "",
            *(option_lines(space) if space else _OPTIONS.splitlines()),
            "",
            *_benchmark(guess.call, is_varied=space is not None and takes_words(space)),
            *(line for paragraph in suggestions for line in ["", *_commented(paragraph)]),
            "",
        ]
    )


def _build(guess: Guess) -> list[str]:
    lines = ["[build]"]
    lines += _remarks(guess.remarks)
    if guess.command:
        lines += ["# Run by a shell, in a work tree of each revision.", f"command = {_text(guess.command)}"]
    lines += [
        "# Outputs that the benchmarks need: files or folders below the root of the work tree.",
        f"outputs = {_list(guess.outputs)}",
        "# Files that the build reads; revisions that differ only elsewhere are not built again.",
        '# inputs = ["**", "!docs/**", "!*.md"]',
    ]
    if guess.network:
        lines.append("network = true")
    if guess.sees_git:
        lines += [
            "# The build asks git for the revision, so every revision gives a different build.",
            "sees_git = true",
        ]
    return lines


def _benchmark(call: CommandGuess, is_varied: bool) -> list[str]:
    lines = [
        "[benchmarks.first]",
        *_remarks([call.reason]),
        "# For a real benchmark, let it process an input for about a second, for example",
        '#   inputs = ["corpus/text.txt"]   # below the folder of this file',
        '#   command = "{build}/PROGRAM {options} corpus/text.txt"',
        f"command = {_text(_varied(call.command) if is_varied else call.command)}",
    ]
    if call.exit_codes != (0,):
        lines.append(f"exit_codes = {list(call.exit_codes)}")
    return [
        *lines,
        '# "instructions" (by valgrind) hardly vary; "cpu" and "wall" are seconds, "memory" is bytes.',
        'metric = "instructions"',
    ]


def _varied(command: str) -> str:
    """The command with all options; one that only lists the build's files does not care for them."""
    if command == LIST_OUTPUTS:
        return "sh -c 'ls -R $0' {build} {options}"
    return f"{command} {{options}}"


def _remarks(sentences: Iterable[str]) -> list[str]:
    return [f"# {line}" for sentence in sentences for line in textwrap.wrap(sentence, 100)]


def _commented(paragraph: str) -> list[str]:
    return [f"# {line}" for line in paragraph.splitlines()]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(texts: Iterable[str]) -> str:
    return "[" + ", ".join(_text(text) for text in texts) + "]"
