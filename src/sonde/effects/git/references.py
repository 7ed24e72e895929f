"""Tags and branches."""

from __future__ import annotations

from collections.abc import Mapping

from sonde.core.revisions import RevisionId
from sonde.effects.git.program import Git

_TAG_FORMAT = "%(refname:strip=2)%00%(objectname)%00%(objecttype)%00%(*objectname)%00%(*objecttype)"


def read_tags(git: Git) -> Mapping[str, RevisionId]:
    """The revision of each tag; tags of files and folders are left out."""
    tags = {}
    for line in _lines(git.read("for-each-ref", f"--format={_TAG_FORMAT}", "refs/tags")):
        name, own, own_kind, peeled, peeled_kind = line.split("\0")
        if own_kind == "commit":
            tags[name] = RevisionId(own)
        elif peeled_kind == "commit":
            tags[name] = RevisionId(peeled)
        elif peeled_kind == "tag":  # a tag of a tag
            answer = git.ask("rev-parse", "--verify", "--quiet", f"{own}^{{commit}}")
            if answer.code == 0:
                tags[name] = RevisionId(answer.output.decode().strip())
    return tags


def read_names(git: Git) -> tuple[str, ...]:
    """The names of tags, branches and branches of remotes, as people write them."""
    output = git.read(
        "for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags", "refs/heads", "refs/remotes"
    )
    return tuple(dict.fromkeys(_lines(output)))


def _lines(output: bytes) -> list[str]:
    return output.decode(errors="surrogateescape").split("\n")[:-1]
