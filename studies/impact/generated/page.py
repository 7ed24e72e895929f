"""The part of the study's page about generated programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studies.impact.generated.records import Record, read
from studies.impact.generated.tally import tally

_NAMES = {"c": "C", "python": "Python"}


def section(file: Path) -> str:
    """The section about the programs of one language."""
    records = list(read(file))
    (language,) = {each.key.language for each in records}
    commands = " and ".join(f"`{each} --records FILE`" for each in commands_of(records))
    written = f"Written by {commands}, then `--tally FILE --write`;"
    return "\n\n".join(
        [
            f"## Generated programs in {_NAMES[language]}",
            f"{written} do not edit it by hand.",
            _ABOUT.strip(),
            tally(records),
        ]
    )


def commands_of(records: Sequence[Record]) -> list[str]:
    """The commands that made the records, one per seed."""
    found = []
    (language,) = {each.key.language for each in records}
    for seed in sorted({each.key.seed for each in records}):
        own = [each for each in records if each.key.seed == seed]
        first = min(each.key.number for each in own)
        words = [f"--language {language} --seed {seed} --programs {len(own)}"]
        words += [f"--first {first}"] if first else []
        words += ["--no-given"] if all(each.answers.hot_given is None for each in own) else []
        words += ["--no-check"] if all(each.answers.check is None for each in own) else []
        found.append(f"python -m studies.impact.generated {' '.join(words)}")
    return found


_ABOUT = """
Programs that nobody wrote by hand (`studies/impact/generated`): each is drawn from the seed, with three to
six options in the idioms that programs use, and then edited at random. Truth is counted by callgrind in every
configuration of both revisions, in the build that is asked about. The product is asked as users ask it: a
repository with two revisions, a project file, hot code from profiles of that build; in three of ten programs
the project file does not say where options are kept. *Relevant*: some configuration executes at least 1 %
more or fewer instructions, which is the threshold of `sonde check`; *harmless*: none executes one more or
less (in Python: none changes by more than 0.02 %, since each run compiles the changed text). In brackets are
95 % intervals (Clopper and Pearson). *Exact* is the share of configurations that truly change.
"""
