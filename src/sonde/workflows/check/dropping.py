"""What decisions of `sonde select` mean to `sonde check`: what is proven, and what is looked at anyway."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from sonde.core.findings.comparisons import Case, Compared, Dropped, NarrowingStep
from sonde.core.findings.selections import Proof, Selected
from sonde.core.points import BenchmarkName
from sonde.core.results import Metric

NOT_REACHED = "no code that they run has changed"
ONE_SIDED = "they exist at only one of the two revisions"
LAYOUT = ": same code, its layout may differ"


def is_proven(selected: Selected) -> bool:
    """Whether a case is unchanged; a learned rule that says so is no proof."""
    return selected.proof is not None


def proves_every_configuration(selected: Selected, metric: Metric, has_build_options: bool) -> bool:
    """Whether what proves a case proves it in all configurations: its builds are the same.

    Equal code is no proof for times; and where options take effect in the build, only equal inputs say
    something about builds that were not made.
    """
    match selected.proof:
        case Proof.SAME_INPUTS:
            return True
        case Proof.SAME_OUTPUTS:
            return not has_build_options
        case Proof.SAME_CODE:
            return not has_build_options and metric is Metric.INSTRUCTIONS
        case _:
            return False


def drops(
    known: Mapping[Case, Selected],
    metrics: Mapping[BenchmarkName, Metric],
    left: Collection[Case],
    total: int,
    step: NarrowingStep = NarrowingStep.SELECT,
    reason: str = NOT_REACHED,
) -> list[Dropped]:
    """All cases that are not left: by their proofs, and those that nobody looked at by `step`.

    For times, equal code is a reason not to measure, but no proof.
    """
    measured = set(left)
    if step is NarrowingStep.BUILDS:
        return [Dropped(step, True, reason, total, tuple(_benchmarks(known)))]
    proven: defaultdict[tuple[NarrowingStep, bool, str], list[Case]] = defaultdict(list)
    for case, selected in known.items():
        if is_proven(selected) and case not in measured:
            proven[_grounds(selected, metrics[case.benchmark])].append(case)
    found = [
        Dropped(by, is_sure, why, len(cases), tuple(dict.fromkeys(each.benchmark for each in cases)))
        for (by, is_sure, why), cases in proven.items()
    ]
    rest = total - len(measured) - sum(each.cases for each in found)
    if rest > 0:
        found.append(Dropped(step, False, reason, rest, tuple(_benchmarks(known))))
    return found


def _grounds(selected: Selected, metric: Metric) -> tuple[NarrowingStep, bool, str]:
    """What a proof rests on, whether it holds for the metric, and the words for it."""
    proof = selected.proof
    assert proof is not None
    is_sure = metric is Metric.INSTRUCTIONS or proof.is_by_bytes
    reason = selected.reasons[0] if proof.is_by_builds else NOT_REACHED
    step = NarrowingStep.BUILDS if proof.is_by_builds else NarrowingStep.SELECT
    return step, is_sure, reason if is_sure else reason + LAYOUT


def absences(left: Sequence[Case], compared: Sequence[Compared]) -> list[Dropped]:
    """What was to be measured, but exists at one of both revisions only: nothing is known of it."""
    known = {each.case for each in compared}
    missing = [case.benchmark for case in left if case not in known]
    if not missing:
        return []
    return [Dropped(NarrowingStep.ABSENT, False, ONE_SIDED, len(missing), tuple(dict.fromkeys(missing)))]


def functions_of(selected: Selected) -> set[str]:
    """What of a benchmark changed; a doubt without a name counts as one."""
    return {each.name for each in selected.touched} or set(selected.reasons[:1])


def _benchmarks(known: Mapping[Case, Selected]) -> list[BenchmarkName]:
    return list(dict.fromkeys(case.benchmark for case in known))
