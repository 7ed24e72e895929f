"""The page of the study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studies.impact import history, seeded, synthetic

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Study:
    """What the user wishes for."""

    scratch: Path  # counts and builds are kept there
    coreutils: Path | None = None  # its unpacked source package
    bzip2: Path | None = None  # its repository
    seed: int = 1
    arguments: str = "--write"  # what the page says that it was made with


def _say_nothing(_: str) -> None:
    pass


@dataclass(frozen=True)
class Report:
    """What stands above the first section of the page, and the sections."""

    head: str
    sections: tuple[str, ...]


def write_report(study: Study, progress: Progress = _say_nothing) -> Report:
    """What the page says of the paper's tables; with coreutils and bzip2 it takes an hour."""
    study.scratch.mkdir(parents=True, exist_ok=True)
    sections = list(synthetic.sections(study.scratch / "scenarios"))
    if study.coreutils is not None:
        sections += seeded.sections(study.coreutils, study.scratch, study.seed, progress)
    if study.bzip2 is not None:
        sections += history.sections(study.bzip2, study.scratch, progress)
    sections.append(("Where this differs from the paper, and why", _DIFFERENCES))
    written = tuple(f"## {title}\n\n{text.strip()}" for title, text in sections)
    return Report(_BEGINNING.format(arguments=study.arguments).strip(), written)


_BEGINNING = """
# Impact: the paper's tables on other programs

Written by `python -m studies.impact {arguments}`; do not edit it by hand.

It repeats section 5 of S. Böhm, F. Sattler, N. Siegmund, S. Apel: Detecting Performance-Relevant Changes in
Configurable Software Systems (ConfFLARE). Truth is in instructions, counted by callgrind in every
configuration, before and after the change: counts have no noise, so that Definition 6 keeps its threshold of
a tenth and needs no repetitions. *The paper's way* is Definitions 3 to 5 and Algorithm 1 on our own flow
graph: changed lines of the new program alone, no implicit flow, no deletions.
"""
_DIFFERENCES = """
- The scenarios, patches and option models are ours: the paper's are in a replication package that we did not
  use. Names, numbers of options and of configurations of the synthetic ones are the paper's.
- Deletions are looked for in the old program, and implicit flow counts up to one decision.
  So INTER_IMPL has its option, and changes that only delete are found.
- The paper's places of seeded regressions were chosen by hand. Ours are drawn.
- Configurations to measure are valid combinations of the related options, as in the paper, but without those
  that do not execute the changed code or the hot code; and of those that are alike, one is measured. For the
  paper's way they are all combinations.
"""
