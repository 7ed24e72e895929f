"""Asks the product, as a user would: the real project, real builds, real runs."""

from __future__ import annotations

import time
from pathlib import Path

import sonde
from sonde.cli.check_endings import FailOn, exit_code
from sonde.core.errors import UserError
from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.projects import write_project
from studies.impact.generated.questions import Asked
from studies.impact.generated.subjects import Language, Subject
from studies.impact.generated.truth import Truth


def ask(subject: Subject, language: Language, truth: Truth, asked: Asked, folder: Path) -> Answers:
    """The answers to some questions; the project is made in `folder`."""
    write_project(subject, language, folder)
    return Answers(
        ask_impact(folder) if asked.impact else None,
        ask_impact(folder, truth.hot) if asked.hot_given and truth.hot else None,
        ask_check(folder) if asked.check else None,
    )


def ask_impact(folder: Path, hot: tuple[str, ...] = ()) -> ImpactAnswer:
    """`sonde impact`, perhaps with `--hot`."""
    begun = time.monotonic()
    try:
        found = sonde.open(folder).impact(hot=hot)
    except UserError as error:
        return ImpactAnswer(False, (), (), (), time.monotonic() - begun, str(error).splitlines()[0])
    return ImpactAnswer(
        found.is_relevant,
        found.related_options,
        tuple(str(each) for each in found.configurations),
        tuple(each.name for each in found.hot),
        time.monotonic() - begun,
    )


def ask_check(folder: Path) -> CheckAnswer:
    """`sonde check`, and the exit code that its command line gives."""
    begun = time.monotonic()
    try:
        found = sonde.open(folder).check()
    except UserError as error:
        told = str(error).splitlines()[0]
        return CheckAnswer(error.exit_code, {}, (), time.monotonic() - begun, told)
    return CheckAnswer(
        exit_code(found, FailOn.REGRESSION, False),
        {str(each.case.configuration): each.verdict.value for each in found.compared},
        tuple(f"{each.step.value}: {each.reason} ({each.cases})" for each in found.dropped),
        time.monotonic() - begun,
    )
