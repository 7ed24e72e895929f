"""Asks the analysis with what is hot at the base, and if it says no, with what is hot at the head."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sonde.core.errors import UsageError
from sonde.core.findings.impacts import HotRoutine
from sonde.effects.at_once import at_once
from sonde.effects.collecting import without_collecting
from sonde.methods.impact.answer import answer
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.differences.programs import Differences
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import AnalysisSettings, Answer, Question
from sonde.workflows.impact.hot import Hot
from sonde.workflows.impact.programs import ProgramPair

Differing = Sequence[tuple[ProgramPair, Differences]]


@dataclass(frozen=True)
class Asking:
    """A question about programs that differ, without what is hot in them."""

    differing: Differing
    options: tuple[OptionInCode, ...]
    lines: tuple[ChangedFileLines, ...]
    settings: AnalysisSettings
    words: frozenset[str]
    fixed: tuple[str, ...] | None
    counts_warm: bool

    def answers(self, hot: Hot) -> list[Answer]:
        """The answer for each of the programs."""
        warm = tuple(each for _, each in hot.warm) if self.counts_warm else ()
        settings = replace(self.settings, is_conservative=True) if hot.is_vague else self.settings
        with without_collecting():
            return [
                answer(
                    self._question(each, hot.hotness, settings, warm),
                    time.monotonic,
                    differences,
                    at_once,
                    time.process_time,  # what else the machine does must not change the answer
                )
                for each, differences in self.differing
            ]

    def _question(
        self,
        pair: ProgramPair,
        hot: tuple[Hotness, ...],
        settings: AnalysisSettings,
        warm: tuple[Hotness, ...],
    ) -> Question:
        return Question(
            pair.old, pair.new, hot, self.options, self.lines, settings, self.words, self.fixed, warm
        )


def with_head(base: Hot, profile_head: Callable[[], Hot], differing: Differing) -> Hot:
    """Hot code of both revisions: what was cold may be hot now.

    Where a profiled run executes 1 % more or fewer instructions, or fails, changed code is hot itself: by its
    own cost, by that of library functions which it calls, or of loading them.
    """
    try:
        head = profile_head()
    except UsageError as error:
        changed = tuple(_changed(differing))
        return _united(base, changed, (f"hot code of the head is not known: {error}",))
    known = {each.name for each in base.routines}
    added = [each for each in zip(head.routines, head.hotness, strict=True) if each[0].name not in known]
    if base.differs_from(head):
        added += _changed(differing)
    united = _united(base, tuple(added), head.warnings)
    return replace(united, warm=(*base.warm, *head.warm), is_vague=base.is_vague or head.is_vague)


def _changed(differing: Differing) -> Iterator[tuple[HotRoutine, Hotness]]:
    """The functions that differ, as hot code."""
    names = dict.fromkeys(name for _, differences in differing for name in differences.names_of_routines)
    for name in names:
        yield HotRoutine(name, None), Hotness(name)


def _united(hot: Hot, added: tuple[tuple[HotRoutine, Hotness], ...], warnings: tuple[str, ...]) -> Hot:
    return replace(
        hot,
        routines=(*hot.routines, *(each for each, _ in added)),
        hotness=(*hot.hotness, *(each for _, each in added)),
        warnings=tuple(dict.fromkeys((*hot.warnings, *warnings))),
    )
