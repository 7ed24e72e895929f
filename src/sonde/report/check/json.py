"""Whether a revision is slower, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from sonde.core.findings.comparisons import (
    Audits,
    CasePattern,
    Check,
    Compared,
    Culprit,
    Dropped,
    Grown,
    Modes,
    Ratio,
    UnexecutedCode,
)
from sonde.core.project_rules import TakenRules
from sonde.report.check.moved import moved_json
from sonde.report.check.words import headline, in_order
from sonde.report.quantities import finite
from sonde.report.revisions import revision_json


def check_json(check: Check) -> dict[str, object]:
    """Every verdict with its evidence, and everything that was left out."""
    return {
        "head": revision_json(check.head),
        "base": revision_json(check.base),
        "headline": headline(check),
        "verdict": in_order(check)[0].verdict.value if check.answers else None,
        "is_regression": bool(check.regressions),
        "is_conclusive": check.is_conclusive,
        "compared": [_compared(each) for each in in_order(check) if each in check.compared],
        "audits": None if check.audits is None else _audits(check.audits),
        "patterns": [_pattern(each) for each in check.patterns],
        "dropped": [_dropped(each) for each in check.dropped],
        "not_executed": [_unexecuted(each) for each in check.not_executed],
        "culprits": [_culprit(each) for each in check.culprits],
        "related_options": None if check.related_options is None else list(check.related_options),
        "cases": {
            "measured": len(check.compared),
            "audited": check.measured - len(check.compared),
            "total": check.cases,
        },
        "spent": {"builds": check.cost.builds, "runs": check.cost.runs, "seconds": check.cost.seconds},
        "seconds_of_all": check.seconds_all,
        "seconds_of_narrowing": check.seconds_narrowing,
        "project_file": None if check.rules is None else _rules(check.rules),
        "warnings": list(check.warnings),
    }


def _rules(rules: TakenRules) -> dict[str, object]:
    return {
        "source": rules.source,
        "head_would": [{"change": each.change.value, "name": each.name} for each in rules.head_would],
    }


def _unexecuted(each: UnexecutedCode) -> dict[str, object]:
    return {
        "routine": each.routine,
        "file": each.file,
        "first_line": each.first,
        "last_line": each.last,
        "revision": "base" if each.is_old else "head",
        "is_part": each.is_part,
    }


def _compared(each: Compared) -> dict[str, object]:
    return {
        "benchmark": each.case.benchmark,
        "configuration": dict(each.case.configuration.values),
        "metric": each.metric.value,
        "verdict": each.verdict.value,
        "reason": each.reason,
        "base": each.base_value,
        "head": each.head_value,
        "ratio": _ratio(each.ratio),
        "threshold": each.threshold,
        "is_change_by_definition_6": each.is_definition_6,
        "output": each.failed.output if each.failed else "",
        "is_output_same": each.is_output_same,
        "moved": moved_json(each.moved),
        "instructions": {"base": each.work.base, "head": each.work.head} if each.work else None,
        "modes": _modes(each.modes),
    }


def _modes(modes: Modes | None) -> list[dict[str, object]] | None:
    """The set-ups that show the change, and the others: the typical ratio and the number of pairs of each."""
    if modes is None:
        return None
    return [
        {"ratio": exp(modes.change), "pairs": modes.changed_pairs},
        {"ratio": exp(modes.rest), "pairs": modes.other_pairs},
    ]


def _audits(audits: Audits) -> dict[str, object]:
    return {
        "step": audits.step.value,
        "left_out": audits.left_out,
        "cases": [{"outcome": each.outcome.value, **_compared(each.compared)} for each in audits.cases],
        "so_far": {
            "missed": audits.tally.missed,
            "audited": audits.tally.audited,
            "undecided": audits.tally.undecided,
            "most_missed": audits.tally.most_missed,
            "confidence": audits.tally.confidence,
        },
    }


def _ratio(ratio: Ratio | None) -> dict[str, object] | None:
    if ratio is None:
        return None
    return {
        "estimate": exp(ratio.log),
        "low": exp(ratio.low),
        "high": finite(exp(min(ratio.high, 700.0))),
        "pairs": ratio.pairs,
        "probability": ratio.probability,
    }


def _pattern(each: CasePattern) -> dict[str, object]:
    return {
        "benchmark": each.benchmark,
        "verdict": each.verdict.value,
        "term": None if each.term is None else sorted(map(str, each.term)),
        "cases": each.cases,
        "of_cases": each.of_cases,
        "functions": _functions(each.grown),
    }


def _dropped(each: Dropped) -> dict[str, object]:
    return {
        "step": each.step.value,
        "is_proven": each.is_proven,
        "reason": each.reason,
        "cases": each.cases,
        "benchmarks": list(each.benchmarks),
    }


def _culprit(each: Culprit) -> dict[str, object]:
    return {
        "benchmark": each.case.benchmark,
        "configuration": dict(each.case.configuration.values),
        "revision": revision_json(each.revision),
        "earliest": revision_json(each.earliest),
        "confidence": each.confidence,
        "probed": each.probed,
        "reason": each.reason,
        "functions": _functions(each.grown),
    }


def _functions(grown: Sequence[Grown]) -> list[dict[str, object]]:
    return [
        {"name": each.name, "before": each.before, "after": each.after, "share": each.share} for each in grown
    ]
