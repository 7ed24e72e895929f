"""Commands that run without importing Sonde each time do what commands do."""

import os
import subprocess

import pytest

from tests.real.subjects import SONDE
from tests.real.warm_sonde import warm_sonde


@pytest.mark.parametrize("words", [("--version",), ("measure",), ("no-such-command",)])
def test_they_say_the_same_and_end_with_the_same_code(tmp_path, words):
    cold = subprocess.run([*SONDE, *words], cwd=tmp_path, capture_output=True, text=True, check=False)

    warm = warm_sonde().run(tmp_path, words, os.environ)

    assert (warm.returncode, warm.stdout) == (cold.returncode, cold.stdout)
    assert warm.stderr.replace("sonde", "") == cold.stderr.replace("python -m sonde", "").replace("sonde", "")


def test_each_starts_without_what_another_one_left(tmp_path):
    project = "[benchmarks.run]\ncommand = 1\n"
    (tmp_path / "sonde.toml").write_text(project)

    first, second = (warm_sonde().run(tmp_path, ("measure",), os.environ) for _ in range(2))

    assert first.returncode == 2
    assert (first.returncode, first.stdout, first.stderr) == (second.returncode, second.stdout, second.stderr)
