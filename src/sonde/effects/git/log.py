"""One `git log` becomes revisions."""

from __future__ import annotations

from sonde.core.revisions import Revision, RevisionId

_FIELDS = ("%H", "%P", "%ct", "%an", "%s")

# Settings of the user that would change what is printed are switched off.
LOG_WORDS = (
    "log",
    "-z",
    f"--format={'%x00'.join(_FIELDS)}",
    "--encoding=UTF-8",
    "--no-patch",
    "--no-show-signature",
    "--no-notes",
    "--no-color",
    "--no-mailmap",
    "--no-decorate",
)


def parse_log(output: bytes) -> tuple[Revision, ...]:
    """The revisions that `git` with `LOG_WORDS` printed, in the opposite order: the oldest first.

    Neither names nor subjects can hold a NUL: git cuts them there. Bytes that are no UTF-8 become U+FFFD.
    """
    fields = output.decode("utf-8", "replace").split("\0")
    fields.pop()  # the last revision ends with a NUL, too
    rows = zip(*[iter(fields)] * len(_FIELDS), strict=True)
    revisions = [
        Revision(
            id=RevisionId(id),
            parents=tuple(RevisionId(parent) for parent in parents.split()),
            committed_at=int(time or 0),  # a malformed revision may have none
            author=author,
            subject=subject,
        )
        for id, parents, time, author, subject in rows
    ]
    return tuple(reversed(revisions))
