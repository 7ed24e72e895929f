"""Revisions whose trees or builds leave what nobody expects: each fails or is measured, and others go on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.real.checks import PROJECT_FILE, make_history, sonde_here, work
from tests.real.repositories import git

pytestmark = pytest.mark.needs("git", "bwrap")

GOOD = "cp src/work.sh work\nchmod +x work\n"
FILES = {"src/work.sh": work(1), "src/build.sh": GOOD}


def measured(folder: Path) -> list[tuple[int, str]]:
    """Of each point, how many samples it has, and why it failed."""
    points = json.loads(sonde_here(folder, "measure", "--json").stdout)["points"]
    return [
        (len(point.get("samples", ())), (point.get("failed") or {}).get("reason", "")) for point in points
    ]


LEFT = {
    "links in a circle": ("ln -s b a; ln -s a b; mkdir d; ln -s ../a d/x; echo > d/y", 5),
    "a link whose name is no text": (r'mkdir d; ln -s / "$(printf "d/\\377\\033[31m")"', 0),
    "a name that is no text": (r'mkdir d; echo > "$(printf "d/\\377\\033[31m")"', 5),
    "a pipe": ("mkdir d; mkfifo d/x", 0),
}


@pytest.mark.parametrize("left", LEFT)
def test_whatever_a_build_leaves_is_measured_or_refused(tmp_path, left):
    lines, samples = LEFT[left]
    leaving = {"src/build.sh": f"{lines}\n{GOOD}", "src/work.sh": work(2)}
    file = PROJECT_FILE.replace('outputs = ["work"]', 'outputs = ["work", "d"]')
    good = {"src/build.sh": f"mkdir d; echo > d/y\n{GOOD}", "src/work.sh": work(1)}
    make_history(
        tmp_path, [("Good", good), ("Odd", leaving), ("Good", {**good, "src/work.sh": work(3)})], file
    )

    assert [number for number, _ in measured(tmp_path)] == [5, samples, 5]


def make_object(subject: Path, kind: str, content: bytes) -> str:
    return git(subject, "hash-object", "-t", kind, "-w", "--literally", "--stdin", given=content)


def make_tree(subject: Path, *entries: tuple[str, str, str]) -> str:
    """A tree of any modes and names, which git itself would not make."""
    rows = (f"{mode} {name}\0".encode() + bytes.fromhex(id) for mode, name, id in entries)
    return make_object(subject, "tree", b"".join(rows))


TREES: dict[str, Callable[[Path, str, str], tuple[str, str, str]]] = {
    "a folder of git": lambda subject, _, tree: ("40000", ".git", tree),
    "a folder above": lambda subject, _, tree: ("40000", "..", tree),
    "a path above": lambda subject, file, _: ("100644", "../file", file),
    "a name that is too long": lambda subject, file, _: ("100644", "n" * 300, file),
}


@pytest.mark.parametrize("name", TREES)
def test_a_revision_that_cannot_be_written_fails_and_others_are_measured(tmp_path, name):
    every_file = PROJECT_FILE.replace('inputs = ["src/**"]\n', "")
    make_history(tmp_path, [("Good", FILES), ("Other", {"src/work.sh": work(2)})], every_file)
    subject = tmp_path / "subject"
    file = make_object(subject, "blob", b"odd")
    entry = TREES[name](subject, file, make_tree(subject, ("100644", "file", file)))
    tree = make_tree(subject, entry, ("40000", "src", git(subject, "rev-parse", "HEAD:src")))
    odd = git(subject, "commit-tree", tree, "-p", "HEAD", "-m", "Odd")
    plain = git(subject, "commit-tree", git(subject, "rev-parse", "HEAD~1^{tree}"), "-p", odd, "-m", "Plain")
    git(subject, "update-ref", "refs/heads/main", plain)

    found = measured(tmp_path)

    assert [number for number, _ in found] == [5, 5, 0, 5]
    assert "The revision cannot be built here" in found[2][1]
