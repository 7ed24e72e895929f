"""The part of the study's page about generated programs."""

from __future__ import annotations

from pathlib import Path

from studies.impact.generated.records import read
from studies.impact.generated.tally import tally

_NAMES = {"c": "C", "python": "Python"}


def section(file: Path) -> str:
    """The section about the programs of one language."""
    records = list(read(file))
    (language,) = {each.key.language for each in records}
    seeds = ", ".join(sorted({str(each.key.seed) for each in records}))
    words = f"--language {language} --seed {seeds} --programs {len(records)}"
    written = f"Written by `python -m studies.impact.generated {words}`, then `--tally FILE --write`;"
    return "\n\n".join(
        [
            f"## Generated programs in {_NAMES[language]}",
            f"{written} do not edit it by hand.",
            _ABOUT.strip(),
            tally(records),
        ]
    )


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
