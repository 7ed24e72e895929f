"""What a learner of selections made of recorded tuples."""

from __future__ import annotations

from sonde.core.findings.selection_rates import Rate, ReplayedSelection, SelectionRates
from sonde.report.flow import paragraph
from sonde.report.quantities import counted, share_text, threshold_text
from sonde.report.tables import table

NO_HITS = "there is no hit"
NOTHING_ELSE = "every tuple is a hit"


def replay_select_text(replayed: ReplayedSelection, width: int = 100) -> str:
    """Rates of the cross-validation and of training on all tuples, and the rule, in `width` columns."""
    rates = replayed.rates
    tuples, hits = counted(rates.tuples, "tuple"), counted(rates.hit.whole, "hit")
    revisions = counted(replayed.revisions, "revision")
    benchmarks = counted(replayed.benchmarks, "benchmark")
    threshold = threshold_text(replayed.threshold)
    lines = [
        f"{replayed.recording}: {tuples} of {revisions} and {benchmarks}, {hits} of more than {threshold}.",
        f"Learner {replayed.learner}, scope {replayed.scope}, indicators {replayed.indicators}.",
        "",
        rates_table(
            {f"{counted(replayed.folds, 'fold')} by revision": rates, "trained on all": replayed.on_all}
        ),
        "",
        _saving(rates),
        "",
        *(
            paragraph(f"{benchmark}: {rule}" if benchmark else rule, width)
            for benchmark, rule in replayed.rules.items()
        ),
        *(paragraph(f"Note: {warning}", width) for warning in replayed.warnings),
    ]
    return "\n".join(lines)


def replay_select_json(replayed: ReplayedSelection) -> dict[str, object]:
    """The rates from 0 to 1; one that does not exist is null, and `reason` says why."""
    return {
        "recording": replayed.recording,
        "learner": replayed.learner,
        "scope": replayed.scope,
        "indicators": replayed.indicators,
        "folds": replayed.folds,
        "seed": replayed.seed,
        "threshold": replayed.threshold,
        "revisions": replayed.revisions,
        "benchmarks": replayed.benchmarks,
        **rates_json(replayed.rates),
        "trained_on_all": rates_json(replayed.on_all),
        "rules": dict(replayed.rules),
        "warnings": list(replayed.warnings),
    }


def rates_json(rates: SelectionRates) -> dict[str, object]:
    """The rates with their intervals, and what they are counted from."""
    missing = [
        reason for rate, reason in ((rates.hit, NO_HITS), (rates.dismiss, NOTHING_ELSE)) if rate.value is None
    ]
    return {
        "hit": rates.hit.value,
        "dismiss": rates.dismiss.value,
        "hits": rates.hit.whole,
        "tuples": rates.tuples,
        "hit_interval": _interval(rates.hit),
        "dismiss_interval": _interval(rates.dismiss),
        "reason": "; ".join(missing) or None,
        "caught": rates.hit.part,
        "dismissed": rates.dismiss.part,
        "proven": rates.proven,
        "proven_hits": rates.proven_hits,
        "skipped": rates.skipped,
        "time_saved": rates.time_saved,
    }


def rates_table(rates: dict[str, SelectionRates]) -> str:
    """A line for each way in which rates were taken."""
    rows = [
        [name, *_cells(each.hit, NO_HITS), *_cells(each.dismiss, NOTHING_ELSE)]
        for name, each in rates.items()
    ]
    return table(["", "hit rate", "95 % interval", "dismiss rate", "95 % interval"], rows, " r r ")


def _cells(rate: Rate, reason: str) -> list[str]:
    if rate.value is None:
        return ["-", reason]
    return [f"{rate.value:.3f}", f"{rate.low:.3f} to {rate.high:.3f} ({rate.part:,} of {rate.whole:,})"]


def _saving(rates: SelectionRates) -> str:
    share = rates.time_saved
    skipped = (
        f"Skipped {rates.skipped:,} of {counted(rates.tuples, 'run')}, {rates.proven:,} of them by proof"
    )
    return f"{skipped}, {share_text(share)} of the time." if share is not None else f"{skipped}."


def _interval(rate: Rate) -> list[float] | None:
    return [rate.low, rate.high] if rate.value is not None else None
