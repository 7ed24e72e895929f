"""The smallest program that shows a miss, written into a folder with what is true and what was answered."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from studies.impact.generated.answers import Answers
from studies.impact.generated.asking import ask
from studies.impact.generated.judging import Miss, misses
from studies.impact.generated.projects import project_file
from studies.impact.generated.questions import Asked
from studies.impact.generated.records import Key, Record
from studies.impact.generated.reducing import reduce
from studies.impact.generated.running import draw_valid, scratch_folder
from studies.impact.generated.subjects import Invalid, Language, Subject
from studies.impact.generated.trees import Side
from studies.impact.generated.truth import Truth

ASKED = {
    Miss.NOT_RELEVANT: Asked(hot_given=False, check=False),
    Miss.NOT_KEPT: Asked(hot_given=False, check=False),
    Miss.GIVEN_NOT_RELEVANT: Asked(impact=False, check=False),
    Miss.GIVEN_NOT_KEPT: Asked(impact=False, check=False),
    Miss.PASSED: Asked(impact=False, hot_given=False),
    Miss.FALSE_ALARM: Asked(impact=False, hot_given=False),
    Miss.NO_ANSWER: Asked(),
}

Tell = Callable[[str], None]


@dataclass
class Shows:
    """Whether a subject shows a miss; what was asked before is known."""

    language: Language
    miss: Miss
    folder: Path
    tried: int = 0
    known: dict[str, bool] = field(default_factory=dict)

    def __call__(self, subject: Subject) -> bool:
        """Draws nothing, changes nothing but what is known."""
        text = self._text(subject)
        if text not in self.known:
            self.known[text] = self._ask(subject)
        return self.known[text]

    def _text(self, subject: Subject) -> str:
        files = [self.language.files(subject, side) for side in Side]
        return json.dumps([*files, project_file(subject, self.language)])

    def _ask(self, subject: Subject) -> bool:
        self.tried += 1
        place = self.folder / str(self.tried)
        try:
            truth = self._truth(subject)
            if isinstance(truth, Invalid) or not _can_show(truth, self.miss):
                return False
            answers = ask(subject, self.language, truth, ASKED[self.miss], place)
            if self.miss not in misses(truth, answers):
                return False
            return self.language.check(subject, self.folder / "checked") is None
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _truth(self, subject: Subject) -> Truth | Invalid:
        """With hot functions only where the question needs them, for they take as long as all the rest."""
        counts = self.folder / "counts"
        if ASKED[self.miss].hot_given:
            return self.language.count(subject, counts)
        return self.language.count_briefly(subject, counts)


def _can_show(truth: Truth, miss: Miss) -> bool:
    if miss in (Miss.NOT_RELEVANT, Miss.GIVEN_NOT_RELEVANT):
        return truth.is_relevant
    if miss in (Miss.NOT_KEPT, Miss.GIVEN_NOT_KEPT, Miss.PASSED):
        return bool(truth.slower)
    return True


def write_smallest(
    languages: Mapping[str, Language], records: Sequence[Record], to: Path, jobs: int, tell: Tell
) -> None:
    """Shrink the first miss of each record; what was written before stays."""
    wanted = []
    for record in records:
        for miss in sorted(misses(record.truth, record.answers), key=list(Miss).index):
            if not _place(to, record.key, miss).exists():
                wanted.append((record.key, miss))
    with multiprocessing.Pool(jobs, maxtasksperchild=1) as pool:
        for told in pool.imap_unordered(partial(_write, languages, to), wanted):
            tell(told)


def _place(to: Path, key: Key, miss: Miss) -> Path:
    return to / f"{key.language}-{key.seed}-{key.number}-{miss.name.lower()}"


def _write(languages: Mapping[str, Language], to: Path, wanted: tuple[Key, Miss]) -> str:
    key, miss = wanted
    language, place = languages[key.language], _place(to, key, miss)
    with scratch_folder() as folder:
        subject = draw_valid(language, key, folder).drawn.subject
        shows = Shows(language, miss, folder)
        if not shows(subject):
            return f"{key.number}: {miss.value}: it is not seen any more"
        smallest = reduce(subject, language, shows)
        truth = language.count(smallest, folder / "counts")
        assert not isinstance(truth, Invalid)
        answers = ask(smallest, language, truth, ASKED[miss], folder / "last")
    _write_subject(smallest, language, place)
    (place / "answers.json").write_text(_told(miss, truth, answers))
    return f"{key.number}: {miss.value}: {place} ({shows.tried} tried)"


def _write_subject(subject: Subject, language: Language, place: Path) -> None:
    for side in Side:
        for name, text in language.files(subject, side).items():
            file = place / side.value / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    (place / "sonde.toml").write_text(project_file(subject, language))


def _told(miss: Miss, truth: Truth, answers: Answers) -> str:
    effects = {name: [effect.base, effect.head] for name, effect in truth.asked.items()}
    told = {"miss": miss.value, "instructions": effects, "hot": truth.hot, "answers": asdict(answers)}
    return json.dumps(told, indent=1)
