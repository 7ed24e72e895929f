"""Deciding by `sonde check`, and what its narrowing spares.

A decision takes 100 cases with 40 pairs of runs each (2 % noise; one case in ten is 5 % slower) and gives the
ratio of each with its interval over five looks, and a verdict that counts all cases. The peers are loops that
only test each case once: scipy's signed-rank test, and its permutation test with 9,999 resamples. `all looks`
is the course of a whole check, in which cases leave as soon as they are settled. Seconds of decisions are of
CPU, those of checks by the clock: runs in a sandbox are nobody's children.

The checks of the demo are whole ones, with builds and runs, and nothing is stored before: of a revision that
edits a document, one that touches a report which nobody waits for, and one that slows down an option. The
peer is `--all`, which measures every case.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.stats import permutation_test, wilcoxon

from benchmarks.frame import Row, medians_in_turn
from sonde.core.results import Metric
from sonde.effects.demo_subject.write import write_demo
from sonde.methods.comparison.comparing import Comparing, Judgement
from sonde.methods.comparison.rules import ComparisonRules

ROUNDS = 3
CASES, PAIRS = 100, 40
BENCHMARK = "pack-text"
REVISIONS = ("Answer: can 1.3", "Align the figures of the report", "Give every block of huffman")

Pairs = tuple[tuple[float, float], ...]


def rows() -> Iterable[Row]:
    """Times of decisions, and of whole checks."""
    cases = _cases()
    acts: Mapping[str, Callable[[], object]] = {
        "ours": partial(_decide, cases),
        "looks": partial(_look_by_look, cases),
        "wilcoxon": partial(_test_each, cases, _signed_rank),
        "permutations": partial(_test_each, cases, _permutations),
    }
    _decide(cases)  # afterwards, the tables of the looks are made
    times = medians_in_turn({name: partial(_seconds_of, act) for name, act in acts.items()}, ROUNDS)
    what = f"a decision: {CASES} cases x {PAIRS} pairs"
    yield Row(what, times["ours"], "s", None, "scipy, signed-rank test", times["wilcoxon"])
    yield Row(what, times["ours"], "s", None, "scipy, permutation test", times["permutations"])
    yield Row(f"all looks: {CASES} cases, at most {PAIRS} pairs", times["looks"], "s")
    yield from _checks_of_demo()


def _cases() -> Mapping[int, Pairs]:
    rng = np.random.default_rng(1)
    logs = rng.normal(0, 0.02, (CASES, PAIRS, 2))
    logs[::10, :, 1] += np.log(1.05)
    return {
        case: tuple((float(base), float(head)) for base, head in np.exp(logs[case])) for case in range(CASES)
    }


def _seconds_of(act: Callable[[], object]) -> float:
    begin = time.process_time()
    act()
    return time.process_time() - begin


def _decide(cases: Mapping[int, Pairs]) -> Mapping[int, Judgement]:
    comparing = Comparing(dict.fromkeys(cases, Metric.CPU), ComparisonRules(most_pairs=PAIRS))
    for case, pairs in cases.items():
        comparing.tell(case, pairs)
    return comparing.judgements()


def _look_by_look(cases: Mapping[int, Pairs]) -> Mapping[int, Judgement]:
    comparing = Comparing(dict.fromkeys(cases, Metric.CPU), ComparisonRules(most_pairs=PAIRS))
    while requests := comparing.ask():
        for case, pairs in requests.items():
            comparing.tell(case, cases[case][:pairs])
    return comparing.judgements()


def _test_each(cases: Mapping[int, Pairs], test: Callable[[Any], float]) -> list[float]:
    return [test(np.log([head / base for base, head in pairs])) for pairs in cases.values()]


def _signed_rank(logs: Any) -> float:
    return float(wilcoxon(logs).pvalue)


def _permutations(logs: Any) -> float:
    pair = (logs, np.zeros_like(logs))
    found = permutation_test(
        pair, lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True
    )
    return float(found.pvalue)


def _checks_of_demo() -> Iterator[Row]:
    """Whole checks of three revisions, narrowed and not."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "demo"
        write_demo(folder)
        for subject in REVISIONS:
            narrowed, everything = (_check(folder, subject, words) for words in ((), ("--all",)))
            what = f"check of the demo, '{subject} ...': {narrowed[1]} of {everything[1]} runs"
            yield Row(what, narrowed[0], "s", None, "`--all`", everything[0])


def _check(folder: Path, subject: str, words: Iterable[str]) -> tuple[float, int]:
    """Seconds of a check without anything stored, and how many runs it took."""
    history = ["git", "-C", str(folder / "packer"), "log", "--format=%H", f"--grep=^{subject}", "main"]
    revision = subprocess.run(history, capture_output=True, text=True, check=True).stdout.strip()
    state = folder / "state"
    shutil.rmtree(state, ignore_errors=True)
    line = [str(Path(sys.executable).with_name("sonde")), "check", revision, "-b", BENCHMARK, "--json"]
    line += ["--fail-on", "never", "--project", str(folder), "--state", str(state), *words]
    line += [] if shutil.which("bwrap") else ["--no-sandbox"]
    begin = time.monotonic()
    ended = subprocess.run(line, capture_output=True, text=True, check=False, env={**os.environ, "CI": "1"})
    if ended.returncode not in (0, 4):
        raise RuntimeError(f"sonde check failed: {ended.stderr}")
    return time.monotonic() - begin, json.loads(ended.stdout)["spent"]["runs"]
