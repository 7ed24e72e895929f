"""Many programs, some at once; each record is written as soon as it is there."""

from __future__ import annotations

import multiprocessing
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from studies.impact.generated.asking import ask
from studies.impact.generated.questions import Asked
from studies.impact.generated.records import Key, Record, append, read
from studies.impact.generated.subjects import Drawn, Language
from studies.impact.generated.truth import Truth

SCRATCH = Path("/dev/shm")  # a disk would only be slower
MOST_ATTEMPTS = 50
TASKS_PER_PROCESS = 40  # then a new one begins, so that memory does not grow


@dataclass(frozen=True)
class Valid:
    """A subject that compiles and ends, and what is true of it."""

    drawn: Drawn
    truth: Truth
    attempt: int


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that goes away."""
    folder = Path(mkdtemp(prefix="sonde-generated-", dir=SCRATCH if SCRATCH.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def draw_valid(language: Language, key: Key, folder: Path, needs_hot: bool = True) -> Valid:
    """The subject of a key: the first one that is valid. To find hot functions takes further builds."""
    count = language.count if needs_hot else language.count_briefly
    reasons = []
    for attempt in range(MOST_ATTEMPTS):
        drawn = language.draw(random.Random(f"{key.seed}/{key.number}/{attempt}"))
        truth = count(drawn.subject, folder / f"counts-{attempt}")
        if isinstance(truth, Truth):
            return Valid(drawn, truth, attempt)
        reasons.append(truth.reason)
    raise RuntimeError(f"{key}: none of {MOST_ATTEMPTS} subjects is valid: {reasons[-1]}")


def study(language: Language, asked: Asked, key: Key) -> Record:
    """Everything about one program."""
    begun = time.monotonic()
    with scratch_folder() as folder:
        valid = draw_valid(language, key, folder, asked.hot_given)
        subject = valid.drawn.subject
        answers = ask(subject, language, valid.truth, asked, folder / "project")
    return Record(
        key,
        valid.attempt,
        valid.drawn.edit,
        valid.drawn.is_meant_harmless,
        any(option.variables for option in subject.options),
        len(subject.options),
        valid.truth,
        answers,
        round(time.monotonic() - begun, 2),
    )


def run(language: Language, asked: Asked, keys: Sequence[Key], jobs: int, file: Path) -> Iterator[Record]:
    """Records of the programs that the file does not have yet, as they come."""
    known = {record.key for record in read(file)}
    missing = [key for key in keys if key not in known]
    with multiprocessing.Pool(jobs, maxtasksperchild=TASKS_PER_PROCESS) as pool:
        for record in pool.imap_unordered(partial(study, language, asked), missing):
            append(file, record)
            yield record
