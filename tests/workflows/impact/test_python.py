"""Where Python programs begin, as the commands of benchmarks tell."""

import pytest

from sonde.core.results import Metric
from sonde.core.subject import BenchmarkRecipe, Command
from sonde.workflows.impact.python import entries_of
from tests.python_programs.scenarios import sources_of

SOURCES = sources_of({"tool.py": "", "pack/__init__.py": "", "pack/__main__.py": "", "pack/work.py": ""})


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["python3 {build}/tool.py {options}"], {"tool.py"}),
        (["env PYTHONPATH={build} python3 -m pack {options}"], {"pack/__init__.py", "pack/__main__.py"}),
        (["python3 {build}/tool.py", "python3 -m pack.work"], {"tool.py", "pack/work.py"}),
        (["python3 {build}/tool.py", "python3 bench.py"], set()),
    ],
)
def test_a_program_begins_where_benchmarks_start_it(lines, expected):
    benchmarks = [make_benchmark(line) for line in lines]

    assert entries_of(benchmarks, SOURCES) == expected


def make_benchmark(line: str) -> BenchmarkRecipe:
    return BenchmarkRecipe("work", (Command(line),), Metric.CPU, 1)
