"""The part of the study's page about generated programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from studies.impact.generated.records import read
from studies.impact.generated.tally import tally

_NAMES = {"c": "C", "python": "Python"}


def sections(files: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """A title and a text for each file of records."""
    for file in files:
        records = list(read(file))
        languages = sorted({_NAMES.get(each.key.language, each.key.language) for each in records})
        seeds = ", ".join(sorted({str(each.key.seed) for each in records}))
        title = f"Generated programs in {' and '.join(languages)}, seed {seeds}"
        yield title, f"{_ABOUT.strip()}\n\n{tally(records)}"


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
