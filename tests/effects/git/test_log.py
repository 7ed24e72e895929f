"""What `git log` prints becomes revisions."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.revisions import Revision, RevisionId
from sonde.effects.git.log import parse_log

ids = st.text("0123456789abcdef", min_size=40, max_size=40).map(RevisionId)
lines = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]))
revisions = st.builds(
    Revision,
    id=ids,
    parents=st.lists(ids, max_size=3).map(tuple),
    committed_at=st.integers(-(2**40), 2**40),
    author=lines,
    subject=lines,
)


def as_git_prints(revision: Revision) -> str:
    fields = (
        revision.id,
        " ".join(revision.parents),
        str(revision.committed_at),
        revision.author,
        revision.subject,
    )
    return "".join(f"{field}\0" for field in fields)


@given(st.lists(revisions))
def test_every_revision_comes_back_with_the_oldest_first(revisions):
    printed = "".join(as_git_prints(revision) for revision in revisions).encode()

    assert parse_log(printed) == tuple(reversed(revisions))


def test_bytes_that_are_no_unicode_are_replaced():
    (revision,) = parse_log(b"a" * 40 + b"\0\0" + b"7\0J\xf6rg\0caf\xe9\0")

    assert (revision.author, revision.subject) == ("J�rg", "caf�")


def test_a_revision_without_a_time_has_the_epoch():
    (revision,) = parse_log(b"a" * 40 + b"\0\0\0\0\0")

    assert revision.committed_at == 0
