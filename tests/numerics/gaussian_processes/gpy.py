"""GPy, in the environment of the peers: `scripts/setup .venv-peers peers` makes it."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

_ENVIRONMENT = Path(os.environ.get("SONDE_PEERS", Path(__file__).parents[3] / ".venv-peers"))

ADDED_NOISE = 1e-8  # GPy's exact inference adds it to the noise variance

_PROGRAM = """
import json, sys
import GPy, numpy

answers = []
for case in json.load(sys.stdin):
    positions, values, grid = (numpy.array(case[name])[:, None] for name in ("positions", "values", "grid"))
    kernel = GPy.kern.Brownian(1, variance=case["variance"])
    model = GPy.models.GPRegression(positions, values, kernel, noise_var=case["noise_variance"])
    if case["iterations"]:
        model.optimize(max_iters=case["iterations"])
    mean, variance = model.predict_noiseless(grid)
    answers.append({
        "variance": float(kernel.variance[0]),
        "noise_variance": float(model.likelihood.variance[0]),
        "log_likelihood": float(model.log_likelihood()),
        "means": mean[:, 0].tolist(),
        "variances": variance[:, 0].tolist(),
    })
print(json.dumps(answers))
"""


@dataclass(frozen=True)
class Case:
    """What GPy is asked to predict with its Brownian kernel."""

    positions: list[float]
    values: list[float]
    grid: list[float]
    variance: float = 1.0
    noise_variance: float = 1.0
    iterations: int = 0  # of its optimiser; 0 keeps the hyperparameters


@dataclass(frozen=True)
class Answer:
    """What it says, and the hyperparameters that it used."""

    variance: float
    noise_variance: float
    log_likelihood: float
    means: list[float]
    variances: list[float]


def is_installed() -> bool:
    """Whether the environment of the peers has GPy."""
    return any(_ENVIRONMENT.glob("lib/python*/site-packages/GPy/__init__.py"))


def ask(cases: Sequence[Case]) -> list[Answer]:
    """An answer to each case."""
    words = [str(_ENVIRONMENT / "bin" / "python"), "-W", "ignore", "-c", _PROGRAM]
    text = json.dumps([asdict(case) for case in cases])
    # On a busy machine the threads of a small matrix wait for each other, tenfold.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    answered = subprocess.run(words, input=text, env=environment, capture_output=True, text=True, check=True)
    return [Answer(**answer) for answer in json.loads(answered.stdout)]
