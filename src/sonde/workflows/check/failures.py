"""Cases that fail: when a failure is believed, and what it means for the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

from sonde.core.findings.comparisons import Case, Compared, Verdict
from sonde.core.points import Point
from sonde.core.records import BuildKey, Built
from sonde.core.results import FREE, Cost, Failed, Metric
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.repeating import failing_among, repeat_doubtful
from sonde.workflows.blueprints import known_builds
from sonde.workflows.project_tools import ProjectTools


def believed_failures(
    tools: ProjectTools, executor: LocalExecutor, failing: Sequence[Blueprint]
) -> tuple[Mapping[Point, Failed], Cost]:
    """Why each of these points fails, after those were run again that failed once; and what that took.

    A failure is lasting if no run of it ever succeeded. What failed for another reason than its runs is not
    among them.
    """
    built: Mapping[BuildKey, Built] = known_builds(tools, failing)
    runnable = [each for each in failing if each.build.key in built]
    cost = FREE
    with closing(repeat_doubtful(executor, runnable, built)) as observations:
        for observation in observations:
            tools.store.append(*observation.records)
            cost += observation.cost
    keys = {each.point: each.measurement(built[each.build.key]) for each in runnable}
    known = failing_among(tools.store, keys.values())
    return {point: known[key].failed for point, key in keys.items() if key in known}, cost


def failing_case(
    case: Case, metric: Metric, threshold: float, base: Failed | None, head: Failed | None
) -> Compared:
    """The verdict of a case that fails on one side or both."""
    if head is not None and base is not None:
        is_lasting = head.is_lasting and base.is_lasting
        verdict = Verdict.BROKEN if is_lasting else Verdict.INCONCLUSIVE
        words = "it fails at both revisions" if is_lasting else "it could not be run at either revision"
        return Compared(case, metric, threshold, verdict, f"{words}: {head.reason}", failed=head)
    if head is not None:
        is_lasting = head.is_lasting
        verdict = Verdict.FAILS if is_lasting else Verdict.INCONCLUSIVE
        words = "it fails, but did not fail at the base" if is_lasting else "it could not be run"
        return Compared(case, metric, threshold, verdict, f"{words}: {head.reason}", failed=head)
    assert base is not None  # else it does not fail
    is_lasting = base.is_lasting
    verdict = Verdict.MENDED if is_lasting else Verdict.INCONCLUSIVE
    words = "it failed at the base, but succeeds now" if is_lasting else "it could not be run at the base"
    return Compared(case, metric, threshold, verdict, f"{words}: {base.reason}", failed=base)
