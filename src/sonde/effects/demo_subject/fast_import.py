"""The plan as a stream for `git fast-import`: the same bytes, and so the same revision ids, everywhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sonde.effects.demo_subject.edits import Tree, apply_edits
from sonde.effects.demo_subject.plan import trees
from sonde.effects.demo_subject.planned import PlannedRevision

BRANCH = "main"

_AUTHORS = (
    "Ada Kern <ada@example.org>",
    "Ben Osei <ben@example.org>",
    "Carla Ruiz <carla@example.org>",
    "Dan Lund <dan@example.org>",
)
_FIRST_SECOND = 1_614_589_200  # 1 March 2021, 9:00 UTC
_BETWEEN_SECONDS = 2 * 86_400 + 3_660


@dataclass(frozen=True)
class _Written:
    """A revision that is in the stream already."""

    mark: int
    tree: Tree


def import_stream(planned: tuple[PlannedRevision, ...]) -> bytes:
    """All revisions, side branches and tags, for the standard input of git."""
    return "".join(_commands(planned)).encode()


def _commands(planned: tuple[PlannedRevision, ...]) -> Iterator[str]:
    main: list[_Written] = []
    mark = 0
    for position, (revision, tree) in enumerate(zip(planned, trees(planned), strict=True)):
        parents = main[-1:]
        tip = main[position - revision.forks_before] if revision.branch else None
        for index, on_branch in enumerate(revision.branch):
            assert tip is not None  # a branch has a place where it forks
            mark += 1
            side = _Written(mark, apply_edits(tip.tree, on_branch.edits))
            # Before the merge, and so between the revisions of the main branch.
            second = _second(position) - 3_600 * (len(revision.branch) - index)
            yield _revision("side", on_branch, side, [tip], second)
            tip = side
        mark += 1
        written = _Written(mark, tree)
        yield _revision(BRANCH, revision, written, [*parents, tip] if tip else parents, _second(position))
        if revision.tag:
            yield f"reset refs/tags/{revision.tag}\nfrom :{mark}\n\n"
        main.append(written)
    # Side branches live on in the merges only.
    yield f"reset refs/heads/side\nfrom {'0' * 40}\n\n"


def _second(position: int) -> int:
    return _FIRST_SECOND + position * _BETWEEN_SECONDS


def _revision(
    branch: str, revision: PlannedRevision, written: _Written, parents: list[_Written], second: int
) -> str:
    author = _AUTHORS[len(revision.subject) % len(_AUTHORS)]
    message = revision.subject + "\n" + (f"\n{revision.body}\n" if revision.body else "")
    lines = [
        f"commit refs/heads/{branch}",
        f"mark :{written.mark}",
        f"author {author} {second} +0000",
        f"committer {author} {second} +0000",
        _counted(message),
    ]
    if parents:
        lines.append(f"from :{parents[0].mark}")
    lines += [f"merge :{parent.mark}" for parent in parents[1:]]
    lines += _file_changes(parents[0].tree if parents else {}, written.tree)
    return "\n".join(lines) + "\n\n"


def _file_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    removed = [f"D {path}" for path in sorted(before.keys() - after.keys())]
    changed = [path for path in sorted(after) if before.get(path) != after[path]]
    return removed + [f"M 100644 inline {path}\n{_counted(after[path])}" for path in changed]


def _counted(text: str) -> str:
    return f"data {len(text.encode())}\n{text}"
