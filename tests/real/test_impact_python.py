"""`sonde impact` from the command line to the answer, on a Python program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sonde.core.revisions import RevisionId
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap", "strace")

PROJECT_FILE = """\
repository = "subject"

[build]
command = "true"
outputs = ["pack"]

[options.strong]
words = "--strong"
variable = "args.strong"

[options.verbose]
words = "--verbose"

[options.quality]
levels = [10, 40]
words = "--quality={value}"

[benchmarks.pack]
command = "env PYTHONPATH={build} python3 -m pack {options}"
metric = "cpu"
runs = 1
"""

MAIN = """\
import argparse

from .cold import cold
from .packing import compress, iterations_for


def read():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strong", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="say more")
    parser.add_argument("--quality", type=int, default=10)
    return parser.parse_args()


def main():
    args = read()
    iterations = iterations_for(args.quality, args.strong)
    if args.verbose:
        print("iterations:", iterations)
    print(compress(iterations), cold(iterations))


if __name__ == "__main__":
    main()
"""


def packing(factor: int = 2, comment: str = "", limit: str = "") -> str:
    return f"""\
def iterations_for(quality, strong):
    {comment}
    iterations = quality * {factor}
    if strong:
        iterations *= 10
{limit}    return iterations


def compress(iterations):
    result = 1
    for i in range(iterations * 1000):
        result = (result * 31 + i) % 65536
    return result
"""


LIMIT = "    if iterations > 300:\n        iterations = 300\n"
COLD = "def cold(value):\n    return value ^ {}\n"

# position -> what changes there
FIRST, README_ONLY, COMMENT, FACTOR, IN_COLD, LIMITED, DELETED, BROKEN = range(8)


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[int, RevisionId]]:
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("impact")
    maker = RepositoryMaker()
    base = {"pack/__init__.py": "", "pack/__main__.py": MAIN, "pack/cold.py": COLD.format(1)}
    maker.revision({**base, "pack/packing.py": packing(), "README": "one\n"}, subject="Begin")
    maker.revision({"README": "two\n"}, subject="Say more")
    maker.revision({"pack/packing.py": packing(comment="# so often")}, subject="Comment")
    maker.revision({"pack/packing.py": packing(3)}, subject="Iterate more often")
    maker.revision({"pack/cold.py": COLD.format(2)}, subject="Change cold code")
    maker.revision({"pack/packing.py": packing(3, limit=LIMIT)}, subject="Limit the iterations")
    maker.revision({"pack/packing.py": packing(3)}, subject="Drop the limit")
    maker.revision({"pack/packing.py": packing(3) + "}"}, subject="Break it")
    ids = maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder, {mark - 1: revision for mark, revision in ids.items()}


def ask(subject: tuple[Path, Mapping[int, RevisionId]], position: int, *words: str) -> dict[str, Any]:
    folder, ids = subject
    answer: dict[str, Any] = json.loads(sonde(folder, "impact", ids[position], "--json", *words).stdout)
    return answer


def test_a_changed_factor_reaches_hot_code_through_the_options_that_take_part(subject: Any) -> None:
    found = ask(subject, FACTOR, "--hot", "compress")

    assert found["relevant"]
    assert found["related_options"] == ["strong", "quality"]
    assert (len(found["configurations"]), found["configurations_total"]) == (4, 8)
    steps = [(step["file"], step["routine"], step["line"]) for step in found["interactions"][0]["path"]]
    assert steps[0] == ("pack/packing.py", "iterations_for", 3)
    assert steps[-1][:2] == ("pack/packing.py", "compress")
    assert ("pack/__main__.py", "main", 17) in steps


@pytest.mark.parametrize("position", slow_except([COMMENT], [README_ONLY, COMMENT, IN_COLD]))
def test_what_cannot_reach_hot_code_is_told_so(subject: Any, position: int) -> None:
    found = ask(subject, position, "--hot", "compress")

    assert not found["relevant"]
    assert found["interactions"] == found["configurations"] == found["related_options"] == []


def test_a_change_that_only_deletes_is_found_in_the_old_program(subject: Any) -> None:
    found = ask(subject, DELETED, "--hot", "compress")

    assert found["relevant"]
    assert any(each["deletion"] for each in found["interactions"])


@pytest.mark.slow
def test_a_file_that_is_no_python_is_named_with_its_line(subject: Any) -> None:
    folder, ids = subject
    failed = sonde(folder, "impact", ids[BROKEN], "--hot", "compress", codes=(2,))

    assert "pack/packing.py:14: this is not valid Python" in failed.stderr


@pytest.mark.slow
def test_options_are_suggested_from_argparse(subject: Any) -> None:
    folder, ids = subject
    found = json.loads(sonde(folder, "impact", ids[FACTOR], "--suggest-options", "--json").stdout)

    assert {tuple(each["words"]): each["variable"] for each in found["suggestions"]} == {
        ("--strong",): "args.strong",
        ("--verbose",): "args.verbose",
        ("--quality",): "args.quality",
    }


def test_hot_code_comes_from_profiles(subject: Any) -> None:
    found = ask(subject, FACTOR)

    assert [each["name"] for each in found["hot"]] == ["compress"]
    assert found["relevant"]
    assert found["related_options"] == ["strong", "quality"]
