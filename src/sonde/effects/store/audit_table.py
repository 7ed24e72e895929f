"""The table of audits: what came of cases that were left out and measured all the same."""

from __future__ import annotations

from sonde.core.findings.comparisons import AuditOutcome, Case, NarrowingStep, Ratio, Verdict
from sonde.core.records import AuditRecord
from sonde.core.results import Metric
from sonde.core.revisions import RevisionId
from sonde.effects.store.table import NEW_CONFIGURATION, RecordTable, Row, Statement, read_configuration

_NEW_AUDIT = """
INSERT INTO audits (
    base, head, benchmark, configuration, step, metric, threshold, verdict, outcome,
    log_ratio, low, high, pairs, probability
) VALUES (?, ?, ?, (SELECT id FROM configurations WHERE chosen = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET verdict = excluded.verdict, outcome = excluded.outcome,
    log_ratio = excluded.log_ratio, low = excluded.low, high = excluded.high, pairs = excluded.pairs,
    probability = excluded.probability
"""


def _write_audit(record: AuditRecord) -> tuple[Statement, ...]:
    chosen, ratio = record.case.configuration.key, record.ratio
    where = (record.base, record.head, record.case.benchmark, chosen)
    how = (record.step.value, record.metric.value, record.threshold)
    what = (record.verdict.value, record.outcome.value)
    size: Row = (None,) * 5
    if ratio is not None:
        size = (ratio.log, ratio.low, ratio.high, ratio.pairs, ratio.probability)
    return ((NEW_CONFIGURATION, (chosen,)), (_NEW_AUDIT, (*where, *how, *what, *size)))


def _read_audit(row: Row) -> AuditRecord:
    base, head, benchmark, chosen, step, metric, threshold, verdict, outcome, *size = row
    return AuditRecord(
        RevisionId(base),
        RevisionId(head),
        Case(benchmark, read_configuration(chosen)),
        NarrowingStep(step),
        Metric(metric),
        threshold,
        Verdict(verdict),
        AuditOutcome(outcome),
        None if size[0] is None else Ratio(*size),
    )


AUDITS = RecordTable(
    write=_write_audit,
    select=(
        "SELECT base, head, benchmark, configurations.chosen, step, metric, threshold, verdict, outcome, "
        "log_ratio, low, high, pairs, probability FROM audits "
        "JOIN configurations ON configurations.id = audits.configuration"
    ),
    order="audits.id",
    read=_read_audit,
    table="audits",
    fields={
        "base": "audits.base IN {}",
        "head": "audits.head IN {}",
        "step": "audits.step IN {}",
    },
)
