"""Submodules: their files are there if their repositories are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sonde.core.revisions import RevisionId
from sonde.effects.discarding import discard
from sonde.effects.git.program import Git, GitFailed
from sonde.effects.git.slot import Lender, Slot

_LINK = "160000"


@dataclass(frozen=True)
class Link:
    """That a revision has another repository's revision at `path`."""

    path: str
    revision: RevisionId


def links_of(slot: Slot) -> tuple[Link, ...]:
    """The submodules of the revision that is checked out in `slot`."""
    if not (slot.tree / ".gitmodules").is_file():
        return ()
    staged = slot.git.read("ls-files", "--stage", "-z").decode(errors="surrogateescape").split("\0")[:-1]
    rows = [(*row.partition("\t")[0].split(), row.partition("\t")[2]) for row in staged]
    return tuple(Link(path, RevisionId(id)) for mode, id, _, path in rows if mode == _LINK)


def fill_submodules(slot: Slot) -> tuple[str, ...]:
    """The paths of submodules whose files cannot be had here; all others are checked out, nested ones too."""
    links = links_of(slot)
    names = _names(slot) if links else {}
    absent = []
    for link in links:
        inner = _slot_of(slot, link, names.get(link.path, ""))
        try:
            if inner is None:
                raise GitFailed(("checkout",), 0, "the submodule was never fetched")
            inner.prepare()
            inner.check_out(link.revision)
        except GitFailed:
            discard(slot.tree / link.path)
            (slot.tree / link.path).mkdir(parents=True)
            absent.append(link.path)
        else:
            absent += [f"{link.path}/{path}" for path in fill_submodules(inner)]
            inner.finish()
    return tuple(absent)


def empty_submodules(slot: Slot) -> None:
    """Remove the files of all submodules, so that git can switch the tree around them."""
    for link in links_of(slot):
        discard(slot.tree / link.path)


def _slot_of(slot: Slot, link: Link, name: str) -> Slot | None:
    if not name or ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
        return None
    module = slot.lender.common_dir / "modules" / name
    if not (module / "objects").is_dir():
        return None
    lender = replace(slot.lender, objects=module / "objects", common_dir=module)
    return Slot(slot.git_dir / "modules" / name, slot.tree / link.path, lender, slot.kept_open)


def _names(slot: Slot) -> dict[str, str]:
    """The name of the submodule at each path."""
    words = ("config", "--null", "--file", str(slot.tree / ".gitmodules"))
    answer = slot.git.ask(*words, "--get-regexp", r"^submodule\..*\.path$")
    rows = answer.output.decode(errors="surrogateescape").split("\0")[:-1]
    pairs = [row.partition("\n") for row in rows]
    return {path: key.removeprefix("submodule.").removesuffix(".path") for key, _, path in pairs}


def filters_of(git: Git) -> tuple[tuple[str, str], ...]:
    """The user's content filters, except those of LFS, whose pointers stay as they are."""
    rows = git.ask("config", "--null", "--get-regexp", r"^filter\.").output.decode(errors="surrogateescape")
    pairs = [row.partition("\n") for row in rows.split("\0")[:-1]]
    return tuple((key, value) for key, _, value in pairs if not key.startswith("filter.lfs."))


def lender_of(objects: Path, object_format: str, common_dir: Path, git: Git) -> Lender:
    """The repository as one that objects are borrowed from."""
    return Lender(objects, object_format, common_dir, filters_of(git))
