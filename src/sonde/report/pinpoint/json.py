"""Which revision changed which option, as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sonde.core.findings.pinpoints import Pinpointed, Pinpoints, TermChange
from sonde.core.results import Failed, Result
from sonde.core.revisions import History
from sonde.report.pinpoint.commands import measure_command
from sonde.report.pinpoint.influences import influences_json
from sonde.report.quantities import finite
from sonde.report.revisions import place_json, revisions_json
from sonde.report.terms import where

LARGEST_EFFECT = 700.0  # a log ratio; more would be no finite number as a ratio


def pinpoint_json(pinpoints: Pinpoints, words: Sequence[str] = ()) -> dict[str, object]:
    """Everything that was found.

    - revisions: position (from 0), id, committed_at (seconds since the epoch), author, subject
    - benchmarks: benchmark, metric, references (the revisions that ran beside each run, in whose seconds its
      values are; each configuration has one; none: nothing ran beside it), findings, noise (relative
      deviation of a run, null if unknown), ending and stop (finished: by itself; budget: it was spent before;
      stuck: nothing more could be measured); what was looked at: points, configurations and failed (numbers),
      and of how many: total_points, valid_configurations, revisions, steps (revisions that can differ from
      the one before); is_counted is false where these are upper bounds; if they were asked for, what
      `influences_json` tells of influences
    - findings: earliest and latest (positions at which it can be) and position (the most likely one);
      is_exact (it is at one position), and only then revision, author and subject, else null; between (the
      ids of the two revisions whose difference the effect is: neighbours, unless one of them cannot be
      measured); options (the literals of its term; none: every configuration), unless (literals, of which
      any keeps it from showing) and where (in words); effect (log ratio, after / before), effect_low
      and effect_high (of its 90 % interval; null where it is open), and these in percent: percent,
      percent_low and percent_high; least_effect (where it shows least; null if unknown); probability;
      configurations (in which both sides were measured); shown_in (the configuration in which it shows best)
      and measure (the command that shows it)
    - failures: position, revision, benchmark, configuration, stage and reason of each point that failed,
      or whose values are not positive or not finite
    - default (configuration), planner, threshold, spent: builds, runs, seconds
    """
    spent = pinpoints.spent
    return {
        "revisions": revisions_json(pinpoints.history),
        "default": dict(pinpoints.default.values),
        "benchmarks": [_benchmark_json(one, pinpoints, words) for one in pinpoints.benchmarks],
        "failures": [
            _failure_json(result, result.outcome, pinpoints.history)
            for result in (*pinpoints.failures, *pinpoints.unusable)
            if isinstance(result.outcome, Failed)
        ],
        "planner": pinpoints.planner,
        "threshold": pinpoints.threshold,
        "spent": {"builds": spent.builds, "runs": spent.runs, "seconds": spent.seconds},
    }


def _benchmark_json(found: Pinpointed, pinpoints: Pinpoints, words: Sequence[str]) -> dict[str, object]:
    ground = pinpoints.grounds[found.benchmark]
    return {
        "benchmark": found.benchmark,
        "metric": found.metric.value,
        "references": list(found.references),
        "findings": [_finding_json(change, found, pinpoints, words) for change in found.findings],
        "noise": found.noise,
        "points": found.points,
        "total_points": ground.points,
        "configurations": found.configurations,
        "valid_configurations": ground.configurations,
        "is_counted": ground.is_counted,
        "revisions": ground.revisions,
        "steps": ground.steps,
        "failed": found.failed,
        "ending": found.ending,
        "stop": found.stop.value,
        **influences_json(found.influences, lambda position: pinpoints.history[position].id),
    }


def _finding_json(
    change: TermChange, found: Pinpointed, pinpoints: Pinpoints, words: Sequence[str]
) -> dict[str, object]:
    history = pinpoints.history
    return {
        **place_json(change, history),
        "between": [history[change.before].id, history[change.after].id],
        "options": sorted(map(str, change.term)),
        "unless": sorted(map(str, change.unless)),
        "where": where(change.term, change.unless),
        "effect": finite(change.effect),
        "effect_low": finite(change.effect_low),
        "effect_high": finite(change.effect_high),
        "percent": _percent(change.effect),
        "percent_low": _percent(change.effect_low),
        "percent_high": _percent(change.effect_high),
        "least_effect": None if change.least_effect is None else finite(change.least_effect),
        "probability": change.probability,
        "configurations": change.configurations,
        "shown_in": dict(change.shown_in.values),
        "measure": measure_command(change, found, pinpoints, words),
    }


def _percent(effect: float) -> float | None:
    return 100 * math.expm1(effect) if effect < LARGEST_EFFECT else None


def _failure_json(result: Result, failed: Failed, history: History) -> dict[str, object]:
    return {
        "position": history.positions[result.point.revision],
        "revision": result.point.revision,
        "benchmark": result.point.benchmark,
        "configuration": dict(result.point.configuration.values),
        "stage": failed.stage.value,
        "reason": failed.reason,
    }
