"""Reading a history of 30,000 revisions, and their build inputs."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.frame import Row, in_turn, medians_in_turn, seconds_of
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.effects.git import open_repository, open_worktree
from sonde.effects.git.log import LOG_WORDS
from sonde.effects.git.repository import Repository

REVISIONS = 30_000
MERGE_EVERY = 10
ADJACENT = 1_000
SWITCHES = 100

_FOLDERS = ("", "src/", "src/core/", "src/io/", "include/", "tests/", "tests/data/", "doc/", "doc/images/")
_FILES = tuple(f"{folder}file{number}.c" for folder in _FOLDERS for number in range(12))
_PATTERNS = ("**", "!doc/**", "!tests/**")

_PYGIT2 = """
import pygit2, sys, time
begin = time.perf_counter()
repository = pygit2.Repository(sys.argv[1])
walker = repository.walk(repository.head.target, pygit2.GIT_SORT_TOPOLOGICAL)
if sys.argv[2] == "first":
    walker.simplify_first_parent()
found = [
    (str(c.id), tuple(map(str, c.parent_ids)), c.commit_time, c.author.name, c.message.partition("\\n")[0])
    for c in walker
]
print(time.perf_counter() - begin)
"""


def rows() -> Iterable[Row]:
    """Times of reading, beside git itself and pygit2."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "subject"
        _make_repository(folder)
        repository = open_repository(folder)
        yield from _history_rows(repository)
        yield from _input_rows(repository)
        yield from _switch_rows(repository, Path(name))


def _history_rows(repository: Repository) -> Iterator[Row]:
    for first_parent, words in ((True, "first parents"), (False, "all parents")):
        order = "--first-parent" if first_parent else "--topo-order"
        measures = {
            "ours": partial(seconds_of, partial(repository.read_history, "", first_parent)),
            "git": partial(seconds_of, partial(_git, repository.folder, *LOG_WORDS, order)),
        }
        if is_installed("pygit2"):
            measures["pygit2"] = partial(
                seconds_of_peer, _PYGIT2, str(repository.folder), "first" if first_parent else "all"
            )
        times = medians_in_turn(measures, rounds=5)
        what = f"history of {len(repository.read_history('', first_parent)):,} revisions, {words}"
        yield Row(what, times["ours"], "s", 2.0, "`git log` alone", times["git"])
        yield Row(what, times["ours"], "s", 2.0, "pygit2", times.get("pygit2"))


def _input_rows(repository: Repository) -> Iterator[Row]:
    ids = [revision.id for revision in repository.read_history()][-ADJACENT:]

    def list_each() -> None:
        for id in ids:
            _git(repository.folder, "ls-tree", "-r", id)

    times = in_turn(
        {
            "inputs": lambda: repository.input_digests(ids, _PATTERNS),
            "all": lambda: repository.input_digests(ids, ("**",)),
            "peer": list_each,
        },
        rounds=3,
    )
    peer = "`git ls-tree -r` of each"
    yield Row(
        f"inputs of {ADJACENT:,} revisions: `{' '.join(_PATTERNS)}`",
        times["inputs"],
        "s",
        2.0,
        peer,
        times["peer"],
    )
    yield Row(f"inputs of {ADJACENT:,} revisions: `**`", times["all"], "s", 2.0, peer, times["peer"])


def _switch_rows(repository: Repository, folder: Path) -> Iterator[Row]:
    linked = folder / "linked"
    ids = [revision.id for revision in repository.read_history()][-SWITCHES:]
    _git(repository.folder, "worktree", "add", "--quiet", "--detach", str(linked), ids[0])
    ours, theirs = iter(ids), iter(ids)

    def switch_linked() -> None:
        _git(linked, "checkout", "--quiet", "--force", "--detach", next(theirs))
        _git(linked, "clean", "-ffdxq")

    with open_worktree(repository, folder / "slot") as worktree:
        acts = {"ours": lambda: worktree.switch(next(ours)), "git": switch_linked}
        times = in_turn(acts, rounds=SWITCHES)
    what = f"switch to the next revision, {len(_FILES)} files"
    yield Row(what, times["ours"] * 1e3, "ms", 40.0, "`git checkout` + `git clean`", times["git"] * 1e3)


def _git(folder: Path, *words: str, given: bytes = b"") -> None:
    subprocess.run(["git", *words], cwd=folder, input=given, stdout=subprocess.DEVNULL, check=True)


def _make_repository(folder: Path) -> None:
    folder.mkdir()
    _git(folder, "init", "--quiet", "--initial-branch=main")
    _git(folder, "fast-import", "--quiet", "--done", given=b"".join(_stream(Random(1))))
    _git(folder, "repack", "-a", "-d", "-q")


def _stream(rng: Random) -> Iterator[bytes]:
    """A history in which every tenth revision merges a branch of one revision."""
    clock = iter(range(1_000_000_000, 2_000_000_000, 600))
    marks = iter(range(1, 10**9))
    last = 0
    for number in range(REVISIONS):
        parents = [last] if last else []
        if number and number % MERGE_EVERY == 0:
            side = next(marks)
            yield _revision("side", side, next(clock), parents, rng, changed=1)
            parents.append(side)
        mark = next(marks)
        yield _revision("main", mark, next(clock), parents, rng, changed=1 if last else len(_FILES))
        if number % 500 == 0:
            yield f"reset refs/tags/v{number // 500}\nfrom :{mark}\n\n".encode()
        last = mark
    yield b"done\n"


def _revision(branch: str, mark: int, time: int, parents: list[int], rng: Random, changed: int) -> bytes:
    who = f"Author {mark % 37} <author@example.org> {time} +0000"
    subject = f"Change number {mark}: " + " ".join(
        rng.choices(("faster", "parser", "fix", "table", "cache"), k=5)
    )
    files = _FILES if changed == len(_FILES) else rng.sample(_FILES, changed)
    lines = [f"commit refs/heads/{branch}", f"mark :{mark}", f"author {who}", f"committer {who}"]
    lines += [f"data {len(subject)}", subject]
    lines += [f"{'merge' if position else 'from'} :{parent}" for position, parent in enumerate(parents)]
    for path in islice(files, changed):
        content = f"int value = {rng.randrange(10**9)};\n" * 5
        lines += [f"M 100644 inline {path}", f"data {len(content)}", content]
    return "\n".join([*lines, ""]).encode()
