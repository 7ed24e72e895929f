"""Submodules: their files are there if their repositories are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from sonde.core.revisions import RevisionId
from sonde.effects.git.program import GitFailed
from sonde.effects.git.slots.borrowing import Slot
from sonde.effects.subject_files import discard, make_folders

_LINK = "160000"


@dataclass(frozen=True)
class Link:
    """That a revision has another repository's revision at `path`."""

    path: str
    revision: RevisionId


def links_of(slot: Slot) -> tuple[Link, ...]:
    """The submodules of the revision that is checked out in `slot`."""
    staged = slot.git.read("ls-files", "--stage", "-z").decode(errors="surrogateescape").split("\0")[:-1]
    rows = [(*row.partition("\t")[0].split(), row.partition("\t")[2]) for row in staged]
    return tuple(Link(path, RevisionId(id)) for mode, id, _, path in rows if mode == _LINK)


def fill_submodules(slot: Slot) -> tuple[str, ...]:
    """The paths of submodules whose files cannot be had here; all others are checked out, nested ones too."""
    names = _names(slot)
    absent = []
    for link in links_of(slot) if names else ():
        make_folders(slot.tree, link.path)
        inner = _slot_of(slot, link, names.get(link.path, ""))
        try:
            if inner is None:
                raise GitFailed(("checkout",), 0, "the submodule was not fetched")
            inner.prepare()
            inner.check_out(link.revision)
        except GitFailed:
            discard(slot.tree / link.path)
            make_folders(slot.tree, link.path)
            absent.append(link.path)
        else:
            absent += [f"{link.path}/{path}" for path in fill_submodules(inner)]
            inner.finish()
    return tuple(absent)


def _slot_of(slot: Slot, link: Link, name: str) -> Slot | None:
    if not name or ".." in PurePosixPath(name).parts or PurePosixPath(name).is_absolute():
        return None
    module = slot.lender.common_dir / "modules" / name
    if not (module / "objects").is_dir():
        return None
    lender = replace(slot.lender, objects=module / "objects", common_dir=module)
    return Slot(slot.git_dir / "modules" / name, slot.tree / link.path, lender, slot.kept_open)


def _names(slot: Slot) -> dict[str, str]:
    """The name of the submodule at each path; none if the revision names none."""
    words = ("config", "--null", "--blob", "HEAD:.gitmodules")
    answer = slot.git.ask(*words, "--get-regexp", r"^submodule\..*\.path$")
    rows = answer.output.decode(errors="surrogateescape").split("\0")[:-1]
    pairs = [row.partition("\n") for row in rows]
    return {path: key.removeprefix("submodule.").removesuffix(".path") for key, _, path in pairs}
