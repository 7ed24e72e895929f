"""From the words of a user to configurations whose value is to be predicted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.errors import UsageError
from sonde.core.findings.pinpoints import PredictionRequest
from sonde.workflows.pinpoint.worlds import BenchmarkSearch
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import MeasuringTarget


def check_at(predict: Sequence[str], at: str) -> None:
    """An error if a revision is named, and nothing to predict there."""
    if at and not predict:
        raise UsageError(
            f"--at {at} is only for predictions. Add a configuration to predict: --predict level=9."
        )


def wishes_of(
    project: OpenProject, target: MeasuringTarget, predict: Sequence[str], at: str
) -> tuple[PredictionRequest, ...]:
    """The configurations that are asked for, at one revision of the range; the last one if none is named."""
    check_at(predict, at)
    position = len(target.history) - 1
    if at:
        revision = project.repository.resolve(at)
        if revision not in target.history:
            raise UsageError(
                f"--at {at}: this revision is not in the range. Choose one of its "
                f"{len(target.history)} revisions, or use a wider range."
            )
        position = target.history.positions[revision]
    space = project.file.space
    return tuple(PredictionRequest(text, space.parse(text), position) for text in dict.fromkeys(predict))


def check_existence(places: Iterable[BenchmarkSearch], requests: Iterable[PredictionRequest]) -> None:
    """An error if a configuration, or a benchmark, does not exist where it is to be predicted."""
    asked = tuple(requests)
    for place in places:
        for request in asked:
            step = place.line.step_at(request.position)
            if step is None:
                raise UsageError(
                    f"benchmark '{place.line.benchmark}' does not exist yet at the revision of --at, so "
                    "nothing can be predicted there. Choose a later one, or other benchmarks."
                )
            first, end = place.world.life(request.configuration)
            if not first <= step < end:
                raise UsageError(
                    f"configuration '{request.written}' cannot be predicted, because not all of its options "
                    "exist at that revision. Choose another one with --at."
                )
