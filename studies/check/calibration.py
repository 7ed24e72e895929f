"""The tables of the calibration, from what was recorded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import expm1
from statistics import fmean, median, stdev

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import Comparing, Judgement
from sonde.methods.comparison.intervals import HIDDEN_SIDE_BY_SIDE
from studies.check import peers
from studies.check.instructions import RUNS, Counted
from studies.check.measuring import rules_of
from studies.check.recording import (
    CALM,
    IN_A_ROW,
    LOADED,
    PLANTED,
    SAME,
    SAME_IN_A_ROW,
    Comparison,
    Recording,
)
from studies.check.workloads import HARD, NAMES
from studies.impact.tables import table

ALARMS = (Verdict.SLOWER, Verdict.FASTER)
EVERY = "all"


@dataclass(frozen=True)
class Judged:
    """A comparison and what is said of it."""

    comparison: Comparison
    judgement: Judgement
    pairs: int  # that were needed

    @property
    def is_covering(self) -> bool:
        """Whether the interval holds the truth."""
        ratio = self.judgement.ratio
        return ratio is not None and ratio.low <= self.comparison.effect <= ratio.high

    @property
    def width(self) -> float:
        """Of the interval, as a share."""
        ratio = self.judgement.ratio
        return float("inf") if ratio is None else expm1(ratio.high - ratio.low)


def judge(comparison: Comparison) -> Judged:
    """What `sonde check` says, by the recorded pairs in their order."""
    comparing = Comparing({0: Metric.CPU}, rules_of(comparison.state))
    values = [pair.cpu for pair in comparison.pairs]
    pairs = 0
    while not comparing.finished and comparing.ask()[0] <= len(values):
        pairs = comparing.ask()[0]
        comparing.tell(0, values[:pairs], HIDDEN_SIDE_BY_SIDE)
    return Judged(comparison, comparing.judgements()[0], pairs)


def verdict_table(recording: Recording, workloads: Collection[str] = tuple(NAMES)) -> str:
    """What is said of equal programs and of planted work, and how many pairs it takes."""
    return "\n\n".join(
        (
            "**The same program on both sides:**",
            _counts(recording, workloads, SAME, "false alarms", ALARMS),
            "**5 % of CPU work planted:**",
            _counts(recording, workloads, PLANTED, "slower", (Verdict.SLOWER,)),
        )
    )


def _counts(
    recording: Recording, workloads: Collection[str], kind: str, title: str, counted: tuple[Verdict, ...]
) -> str:
    rows = []
    for state, name, judged in _groups(recording, workloads, kind):
        said = [each.judgement.verdict for each in judged]
        rows.append(
            (
                state,
                name,
                len(said),
                sum(each in counted for each in said),
                said.count(Verdict.EQUAL),
                said.count(Verdict.INCONCLUSIVE),
                f"{fmean(each.pairs for each in judged):.1f}",
            )
        )
    return table(("machine", "workload", "comparisons", title, "equal", "inconclusive", "pairs, mean"), rows)


def hard_table(recording: Recording) -> str:
    """The same of the workloads whose noise is large even when nothing else runs."""
    taken = [*recording.of(SAME, None, tuple(HARD)), *recording.of(PLANTED, None, tuple(HARD))]
    return verdict_table(recording, tuple(HARD)) if taken else "They were not run this time."


def interval_table(recording: Recording) -> str:
    """How often the interval at the end holds the truth, and how wide it is."""
    rows, every = [], list[Judged]()
    for kind, title in ((SAME, "same"), (PLANTED, "planted 5 %")):
        for state in (CALM, LOADED):
            judged = [judge(each) for each in recording.of(kind, state)]
            every += judged
            rows.append((state, title, *_coverage(judged)))
    return table(
        ("machine", "programs", "covered", "median width"), [*rows, (EVERY, EVERY, *_coverage(every))]
    )


def _coverage(judged: Sequence[Judged]) -> tuple[str, str]:
    covered = _share(sum(each.is_covering for each in judged), len(judged))
    return covered, _percent(median(each.width for each in judged)) if judged else "-"


def noise_table(recording: Recording) -> str:
    """How much runs of the same program scatter, alone and as ratios of pairs."""
    rows = [
        (state, f"{name}: {text}", *_noise(compared))
        for state in (CALM, LOADED)
        for name, text in (NAMES | HARD).items()
        if (compared := recording.of(SAME, state, (name,)))
    ]
    heads = ("machine", "workload", "cpu", "wall / cpu", "CV in a comparison", "CV over all", "CV of ratios")
    return table(heads, rows)


def _noise(compared: Sequence[Comparison]) -> tuple[str, ...]:
    runs = [[run for pair in each.pairs for run in pair.in_time] for each in compared]
    cpus = [[run.cpu for run in these] for these in runs]
    all_cpus = [cpu for these in cpus for cpu in these]
    walls = sum(run.wall for these in runs for run in these)
    ratios = [stdev(head / base for base, head in (pair.cpu for pair in each.pairs)) for each in compared]
    return (
        f"{median(all_cpus) * 1000:.0f} ms",
        f"{walls / sum(all_cpus):.2f}",
        _percent(median(stdev(these) / fmean(these) for these in cpus)),
        _percent(stdev(all_cpus) / fmean(all_cpus)),
        _percent(median(ratios)),
    )


def peer_table(recording: Recording) -> str:
    """What other rules call different, of equal programs and of planted work."""
    rows = [
        ("sonde check", "pairs until there is an answer", "cpu", *_both(recording, _is_alarm, SAME, PLANTED))
    ]
    for title, rule in (("mean ± deviation", peers.by_the_spread), ("Welch's test", peers.by_welch)):
        for metric, value in (("wall", peers.wall), ("cpu", peers.cpu)):
            cells = _both(recording, peers.of_runs_in_a_row(rule, value), SAME_IN_A_ROW, IN_A_ROW)
            rows.append((title, "10 runs after 10 runs", metric, *cells))
    for share in (0.1, 0.05):
        definition, title = peers.by_definition_6(share), f"Definition 6, {share * 100:g} %"
        in_a_row = _both(recording, peers.of_runs_in_a_row(definition, peers.cpu), SAME_IN_A_ROW, IN_A_ROW)
        rows.append((title, "10 runs after 10 runs", "cpu", *in_a_row))
        rows.append((title, "our pairs", "cpu", *_both(recording, peers.of_pairs(definition), SAME, PLANTED)))
    heads = ["rule", "runs", "metric"]
    heads += [f"{state}: {what}" for state in (CALM, LOADED) for what in ("false alarms", "5 % found")]
    return table(heads, rows)


def _is_alarm(comparison: Comparison) -> bool:
    return judge(comparison).judgement.verdict in ALARMS


def counted_table(counted: Sequence[Counted]) -> str:
    """Two counted runs of each side."""
    rows = []
    for name in NAMES:
        these = [each for each in counted if each.workload == name]
        found, equal = sum(each.is_found for each in these), sum(each.is_equal for each in these)
        error = f"{max((each.error for each in these), default=0.0) * 100:.3f} %"
        rows.append((name, len(these), found, equal, RUNS, error))
    heads = (
        "workload",
        "comparisons",
        "2 % found",
        "same called equal",
        "runs a side",
        "largest error of the ratio",
    )
    return table(heads, rows)


def _groups(
    recording: Recording, workloads: Collection[str], kind: str
) -> Iterable[tuple[str, str, list[Judged]]]:
    """By state and workload, and all workloads together."""
    for state in (CALM, LOADED):
        for name in (*workloads, EVERY):
            compared = recording.of(kind, state, workloads if name == EVERY else (name,))
            if compared:
                yield state, name, [judge(each) for each in compared]


def _both(
    recording: Recording, is_different: Callable[[Comparison], bool], same: str, planted: str
) -> tuple[str, ...]:
    cells = []
    for state in (CALM, LOADED):
        for kind in (same, planted):
            compared = recording.of(kind, state)
            cells.append(_share(sum(map(is_different, compared)), len(compared)))
    return tuple(cells)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole * 100:.1f} %)" if whole else "-"


def _percent(share: float) -> str:
    return f"{share * 100:.1f} %"
