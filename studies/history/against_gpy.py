"""Compares our Brownian motion with GPy's on recorded series, as the paper would measure and fit them.

    python -m studies.history.against_gpy FOLDER [RECORDING ...]

FOLDER holds recordings; without names it takes lrzip-commits, numpy-asv and pandas-asv. Of each recording it
takes the series with the most revisions, its values divided by their mean, its positions counted from 1, for
GPy's motion is 0 at position 0. It measures 5 % of the revisions, at random but repeatably. GPy fits its
hyperparameters, and both predict every revision with these: once with GPy's noise, once with next to none,
where ours is the exact bridge, and GPy still adds 1e-8. Deviations are the largest over all revisions: of
means relative to the mean, of variances relative to the largest.

Needs GPy in .venv-peers: scripts/setup .venv-peers peers
"""

import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, StartAt
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance_and_noise
from sonde.numerics.gaussian_processes.observations import Array, Observations
from sonde.report.tables import table
from tests.numerics.gaussian_processes import gpy

RECORDINGS = ("lrzip-commits", "numpy-asv", "pandas-asv")
MEASURED_PART = 0.05
MOST_ITERATIONS = 1000
NEXT_TO_NO_NOISE = 1e-12


def main(folder: Path, names: Sequence[str]) -> int:
    """0 if the recordings could be compared; a deviation is for the reader to judge."""
    if not gpy.is_installed():
        print("GPy is not installed: run scripts/setup .venv-peers peers", file=sys.stderr)
        return 1
    cases = [case_of(*longest_series(folder / name / "points.csv.gz")) for name in names]
    fitted = gpy.ask(cases)
    exact_cases = [
        gpy.Case(case.positions, case.values, case.grid, answer.variance, NEXT_TO_NO_NOISE)
        for case, answer in zip(cases, fitted, strict=True)
    ]
    exact = gpy.ask(exact_cases)
    rows = [
        [name, str(len(case.grid)), str(len(case.positions)), *cells(case, with_noise, without)]
        for name, case, with_noise, without in zip(names, cases, fitted, exact, strict=True)
    ]
    head = ["recording", "revisions", "measured", "mean", "variance", "likelihood", "bridge mean", "variance"]
    print(table([*head, "our fit is likelier by"], rows, "l" + "r" * 8))
    return 0


def longest_series(file: Path) -> tuple[Array, Array]:
    """Revisions and values of the series with the most points; of several, the first in the file."""
    series: defaultdict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    with gzip.open(file, "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            revision, value = float(row.pop("revision")), float(row.pop("value"))
            series[tuple(row.values())].append((revision, value))
    longest = max(series.values(), key=len)
    revisions, values = np.array(sorted(longest)).T
    return revisions, values


def case_of(revisions: Array, values: Array) -> gpy.Case:
    """What GPy is to fit and to predict."""
    rng = np.random.default_rng(1)
    number = max(2, round(MEASURED_PART * revisions.size))
    measured = np.sort(rng.choice(revisions.size, number, replace=False))
    positions = revisions - revisions[0] + 1
    scaled = values / np.mean(values)
    return gpy.Case(
        positions[measured].tolist(),
        scaled[measured].tolist(),
        positions.tolist(),
        iterations=MOST_ITERATIONS,
    )


def cells(case: gpy.Case, with_noise: gpy.Answer, without: gpy.Answer) -> list[str]:
    """Deviations with GPy's noise and without, and what our own fit gains."""
    observations = Observations.of(case.positions, case.values)
    noise = with_noise.noise_variance + gpy.ADDED_NOISE
    noisy = BrownianMotion(with_noise.variance, noise, StartAt(0.0))
    bridge = BrownianMotion(without.variance, 0.0, StartAt(0.0))
    likelihood = noisy.log_marginal_likelihood(observations)
    ours = fit_variance_and_noise(observations, StartAt(0.0)).log_marginal_likelihood(observations)
    return [
        *deviations(noisy, observations, case.grid, with_noise),
        f"{abs(likelihood / with_noise.log_likelihood - 1):.0e}",
        *deviations(bridge, observations, case.grid, without),
        f"{ours - with_noise.log_likelihood:.1e}",
    ]


def deviations(
    motion: BrownianMotion, observations: Observations, grid: list[float], answer: gpy.Answer
) -> tuple[str, str]:
    """Largest deviations of means and of variances."""
    posterior = motion.condition(observations)
    means, variances = posterior.mean(grid), posterior.variance(grid)
    of_means = np.max(np.abs(means - answer.means)) / np.mean(np.abs(answer.means))
    of_variances = np.max(np.abs(variances - answer.variances)) / np.max(answer.variances)
    return f"{of_means:.0e}", f"{of_variances:.0e}"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m studies.history.against_gpy FOLDER [RECORDING ...]")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:] or RECORDINGS))
