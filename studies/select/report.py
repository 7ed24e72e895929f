"""The page of the study: what was done, its tables, and how it differs from the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from studies.select import (
    churn_table,
    effectiveness_table,
    hops_table,
    promise_table,
    proof_table,
    size_table,
    synthetic_table,
    transfer_table,
)
from studies.select.project_evidence import read_evidence
from studies.select.tuple_sets import read_tuple_set

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Study:
    """What the user wishes for."""

    files: tuple[tuple[Path, ...], ...]  # of each project
    seconds: Path | None = None  # how long benchmarks take, for files that do not tell
    project: Path | None = None
    ranges: tuple[str, ...] = ()
    folds: int = 10
    seeds: int = 5
    promise_seeds: int = 50
    size_seeds: int = 20
    pair_seeds: int = 1
    arguments: str = "--write"  # what the page says that it was made with


def _say_nothing(_: str) -> None:
    pass


def write_report(study: Study, progress: Progress = _say_nothing) -> str:
    """The whole page; it takes minutes."""
    sets = [read_tuple_set(files, study.seconds if at == 0 else None) for at, files in enumerate(study.files)]
    seeds = range(study.seeds)
    sections: list[tuple[str, str, Callable[[], str]]] = [
        ("Is a proof ever wrong?", _PROOFS, lambda: proof_table.of_tuples(sets)),
        (
            "Effectiveness (Table IV, questions a and b)",
            _EFFECTIVENESS.format(folds=study.folds, seeds=study.seeds),
            lambda: effectiveness_table.section(sets, study.folds, seeds),
        ),
        (
            "Is a promise kept?",
            _PROMISES.format(seeds=study.promise_seeds),
            lambda: promise_table.section(sets, range(study.promise_seeds)),
        ),
        (
            "Size of the training set (Figure 3, question c)",
            _SIZES,
            lambda: size_table.section(sets, range(study.size_seeds)),
        ),
        ("From one project to another (question d)", _TRANSFER, lambda: transfer_table.section(sets)),
        (
            "Distance to the last known revision (Figure 4, question e)",
            _HOPS,
            lambda: hops_table.section(sets),
        ),
        (
            "Synthetic training sets (Table V, question f)",
            _SYNTHETIC.format(folds=study.folds, seeds=study.pair_seeds),
            lambda: synthetic_table.section(sets, study.folds, range(study.pair_seeds)),
        ),
    ]
    if study.project is not None:
        evidence = read_evidence(study.project, study.ranges)
        about = _of_project(evidence.name, study.ranges)
        sections += [
            (
                "Functions that seem to change",
                _CHURN.format(about=about),
                lambda: churn_table.section(evidence),
            ),
            (
                "Proofs by their reason",
                _REASONS.format(about=about),
                lambda: proof_table.of_project(evidence),
            ),
        ]
    parts = [_BEGINNING.format(arguments=study.arguments)]
    for title, text, make in sections:
        progress(title)
        parts += [f"## {title}", text, make()]
    parts += ["## Where this differs from the paper, and why", _DIFFERENCES]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def _of_project(name: str, ranges: Sequence[str]) -> str:
    where = " and ".join(f"`{each}`" for each in ranges) or "the whole branch"
    return f"project `{name}`, {where}"


_BEGINNING = """
# Selecting benchmarks: the paper's tables on other tuples

Written by `make study-select {arguments}`; do not edit it by hand.

It repeats section IV of A. Born de Oliveira, S. Fischmeister, A. Diwan, M. Hauswirth, P. F. Sweeney:
Perphecy: Performance Regression Test Selection Made Simple but Effective (ICST 2017), and sets our rules
beside theirs.
A *tuple* is a benchmark at a revision and at an ancestor of it; they are neighbours, one hop apart, unless
said otherwise. It is a *hit* if its instructions change by more than the threshold. Cells read *hit /
dismiss*: the share of hits that are run, and the share of the other tuples that are skipped. Tuples of one
revision are never split between training and test. All that is drawn has a seed, so figures come out the same
each time. The rules:

- *Table I, no proof*: the paper's eight indicators and Algorithm 1, mended where it does not end.
- *Table I*: the same, asked only where nothing is proven.
- *greedy*: Algorithm 1 over how much of the cost changed, `--learner greedy`; after the proof.
- *share, 95 %*: a conformal threshold for that share, `--learner share --catch 95%`; after the proof.
- *proof alone*: whatever is not proven unchanged is run, as in a project without training.
"""
_PROOFS = """
Computed from all tuples of each file, whatever their hops. *Proven* tuples are never run; the proof is wrong
if one changes by more than 0.1 %. A recorded file tells which builds are the same; there a tuple is also
proven if all of its indicators that depend on the benchmark are zero. A file of `sonde select --train` tells
which tuples are proven. Builds that are the same share one measurement in either, and so do builds with the
same code in the latter: their change is zero by construction, and puts no proof to the test.
"""
_EFFECTIVENESS = """
The recorded tuples of lz4 were looked at when the indicators of *greedy* were chosen, so its figures there
are optimistic; the other files were not. Computed from neighbours, one hop apart. *Full*: trained and tried
on all tuples. *K-fold*: {folds} parts,
the mean of {seeds} partitions; its 95 % intervals are Wilson's, for one pass over the tuples. *Individual*: a
rule a benchmark; *All*: one for all benchmarks. *Leave one out*: as many parts as revisions, one rule for
all. *Time saved* is of the time of all runs under the profiler, K-fold/All, with the median time of each
benchmark; *at most* is what skipping all but the hits would save.
"""
_PROMISES = """
`--learner share` with several promises, one rule for all benchmarks, tried out of sample in {seeds}
partitions each: the mean and the lowest hit rate, and the mean dismiss rate. In brackets: too few hits in
training for the promise, so that all that is not proven is run. It takes revisions
that are exchangeable, and counts each revision with hits once, by its smallest.
"""
_SIZES = """
One rule for all benchmarks; more parts mean larger training sets. Means and standard deviations are over
partitions.
"""
_TRANSFER = """
Trained on all neighbours of one set of tuples, tried on all of another. Two sets of the same software, or of
the same revisions, do not answer the question.
"""
_HOPS = """
Trained on neighbours among the oldest quarter of the revisions, as listed in the file, and tried on pairs
that begin there or later. The paper has one ancestor, the newest in training; here all pairs count.
"""
_SYNTHETIC = """
All pairs up to some hops, one rule for all benchmarks. *K-fold*: {folds} random parts of the revisions, the
mean over seeds ({seeds}); no pair is trained on that has a revision whose own change is tried. *Apart*:
{folds} stretches of the history, and training and test have no revision in common at all. *Tried on
neighbours*: trained so, but tried on pairs of one hop, which is what a rule is for. Pairs that span one
change are hits of it again and again: they are no new knowledge, though a promise counts them.
"""
_CHURN = """
Computed from the stored snapshots of {about}, each revision against its first parent: functions of both
builds that differ in their bytes (*raw*), in what they do (*normalised*), in more than a line number
(*masked*).
"""
_REASONS = """
Computed from the stored tuples of {about}. Builds with the same inputs, outputs or code share one
measurement, so only tuples with *both sides measured* put a proof to the test.
"""
_DIFFERENCES = """
- Truth is in instructions, with a threshold. The paper tests five wall times against five others (t-test), so
  its hits include noise, and its figures and ours are of different things.
- As printed, Algorithm 1 does not end where a hit costs nothing, and accepts thresholds of zero. Thresholds
  are above zero here, and ties go to the indicator that covers most hits.
- Functions are compared after normalisation, so "changed" means less here than in the paper.
- The paper's "Full" seems to have a predictor a benchmark; a common one is given beside it.
- The recorded lz4 tuples were known when the indicators of *greedy* were chosen, so its figures there may
  flatter it. *share* has nothing to choose but its promise.
- Without hits in training the paper never runs anything (glibc); here all that is not proven is run.
"""
