"""What lies around builds and runs is said, where it may not be what the user thinks."""

from __future__ import annotations

import pytest

from sonde.core.results import Metric
from sonde.core.subject import BenchmarkRecipe, BuildRecipe, Command, Subject, Surroundings
from sonde.workflows.surroundings import pythons_of_the_system


def subject(line: str) -> Subject:
    """One with a benchmark that is run so."""
    benchmark = BenchmarkRecipe("work", (Command(line),), Metric.CPU, 1)
    build = BuildRecipe((Command("true"),), ("work",))
    return Subject("main", True, build, (), (), (benchmark,), Surroundings())


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("python3 -m pack", ["python3"]),
        ("env PYTHONPATH={build} python3.11 bench.py", ["python3.11"]),
        ("python bench.py | python3 -", ["python", "python3"]),
        ("/opt/env/bin/python3 -m pack", []),
        ("{build}/python3", []),
        ("./python-tool python.txt", []),
        ("pythonic", []),
    ],
)
def test_interpreters_are_found_that_are_looked_up(line, named):
    assert list(pythons_of_the_system(subject(line))) == named
