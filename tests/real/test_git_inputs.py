"""Build inputs of real repositories, beside what git itself says of them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sonde.core.errors import RepositoryError
from sonde.core.revisions import RevisionId
from sonde.effects.git import NO_INPUTS, open_repository
from sonde.effects.git.patterns import Patterns
from tests.real.repositories import RepositoryMaker, git, linear, unpack

pytestmark = pytest.mark.needs("git")

PATHS = ("a", "b.c", "x/a", "x/b.c", "x/y/a", "x/y/b.c", "y/a", "y/x/a", ".h/a", "doc/a", "doc/x/b.c")
few = settings(
    max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
parts = st.sampled_from(
    ["**", "*", "a", "x", "y", "doc", "*.c", "?", "[xy]", "[!x]", "b.*", ".h", "x*", "**c"]
)
plain_patterns = st.builds(
    lambda front, middle, end: front + "/".join(middle) + end,
    st.sampled_from(["", "", "/"]),
    st.lists(parts, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
patterns = st.builds(str.__add__, st.sampled_from(["", "", "!"]), plain_patterns)
steps = st.dictionaries(st.sampled_from(PATHS), st.sampled_from(["1", "2", None]), max_size=4)


@few
@given(st.lists(plain_patterns, min_size=1, max_size=20))
def test_a_pattern_matches_what_git_ignores(tmp_path, texts):
    git(tmp_path, "init", "--quiet")
    given_paths = "".join(f"{path}\0" for path in PATHS).encode()
    for text in texts:
        (tmp_path / ".git" / "info" / "exclude").write_text(f"{text}\n")
        words = ("check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching")
        rows = _answers(tmp_path, words, given_paths)
        ignored = {path for source, _, _, path in rows if source}

        assert {path for path in PATHS if Patterns((text,)).choose_path(path)} == ignored, text


def _answers(folder, words, given_paths):
    fields = git(folder, *words, given=given_paths, codes=(0, 1)).split("\0")[:-1]
    return list(zip(*[iter(fields)] * 4, strict=True))


@few
@given(st.lists(steps, min_size=1, max_size=12), st.lists(patterns, min_size=1, max_size=4).map(tuple))
def test_digests_are_equal_if_and_only_if_the_chosen_files_are(tmp_path_factory, steps, texts):
    folder = tmp_path_factory.mktemp("inputs") / "r"
    maker = RepositoryMaker()
    maker.revision(dict.fromkeys(PATHS, "1"))
    for step in steps:
        maker.revision(step)
    ids = list(maker.make(folder).values())
    chooser = Patterns(texts)

    digests = open_repository(folder).input_digests(ids, texts)

    listings = {}
    for revision in ids:
        rows = git(folder, "ls-tree", "-r", revision).splitlines()
        listings[revision] = tuple(row for row in rows if chooser.choose_path(row.partition("\t")[2]))
    assert list(digests) == list(dict.fromkeys(ids))
    for one in ids:
        for other in ids:
            assert (digests[one] == digests[other]) == (listings[one] == listings[other])


def test_a_revision_that_touches_no_input_is_the_twin_of_its_parent(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"src/a.c": "1", "doc/a": "1"})
    maker.revision({"doc/a": "2", "README.md": "new"})
    maker.revision({"src/a.c": "2"})
    ids = maker.make(tmp_path / "r")
    digests = open_repository(tmp_path / "r").input_digests(ids.values(), ("**", "!doc/**", "!*.md"))

    assert digests[ids[1]] == digests[ids[2]] != digests[ids[3]]


def test_names_modes_and_links_count(tmp_path):
    link = "1" * 40
    maker = RepositoryMaker()
    maker.revision({"src/a": "x", "lib": link}, modes={"lib": "160000"})
    maker.revision({"src/a": "x"}, modes={"src/a": "100755"})
    maker.revision({"src/a": "x"}, modes={"src/a": "120000"})
    maker.revision({"src/a": None, "src/b": "x"})
    maker.revision({"lib": "2" * 40}, modes={"lib": "160000"})
    ids = maker.make(tmp_path / "r")
    repository = open_repository(tmp_path / "r")

    assert len(set(repository.input_digests(ids.values(), ("src", "lib/**")).values())) == 5
    assert len(set(repository.input_digests(ids.values(), ("lib/*.c",)).values())) == 2
    assert len(set(repository.input_digests(ids.values(), ("src/**",)).values())) == 4


def test_odd_file_names_count(tmp_path):
    maker = RepositoryMaker()
    for text in "12":
        maker.revision(
            {f"d/{name}": text for name in ("a\nb", 'q"', "sp ace", "schön", "\udcff", "back\\slash")}
        )
        maker.revision({"d/other": text})
    ids = maker.make(tmp_path / "r")
    repository = open_repository(tmp_path / "r")

    for pattern in ("a\nb", 'q"', "sp ace", "schö?", "back\\\\slash", "d/[!o]*"):
        digests = repository.input_digests(ids.values(), (pattern,))
        assert digests[ids[1]] == digests[ids[2]] != digests[ids[3]] == digests[ids[4]] != NO_INPUTS


def test_all_files_are_told_by_the_tree_and_none_by_a_constant(tmp_path):
    ids = linear(2).make(tmp_path / "r")
    repository = open_repository(tmp_path / "r")
    trees = {revision: git(tmp_path / "r", "rev-parse", f"{revision}^{{tree}}") for revision in ids.values()}

    assert repository.input_digests(ids.values(), ("**",)) == trees
    assert repository.input_digests(ids.values(), ("other/**",)) == dict.fromkeys(ids.values(), NO_INPUTS)
    assert repository.input_digests([], ("**",)) == repository.input_digests([], ("a",)) == {}


def test_missing_revisions_and_trees_are_clear_errors(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"x/a": "1", "y/a": "2"})
    ids = maker.make(tmp_path / "r")
    unpack(tmp_path / "r")
    repository = open_repository(tmp_path / "r")
    tree = git(tmp_path / "r", "rev-parse", "HEAD:x")
    loose = repository.objects / tree[:2] / tree[2:]

    for content in (b"damaged", None):
        loose.unlink()
        if content:
            loose.write_bytes(content)
        with pytest.raises(RepositoryError, match=r"read the build inputs.*fsck"):
            repository.input_digests(ids.values(), ("*.c",))
        assert repository.input_digests(ids.values(), ("y/*.c",))
    for texts in (("**",), ("*.c",)):
        with pytest.raises(RepositoryError, match=r"read the build inputs.*fsck"):
            repository.input_digests([RevisionId("1" * 40)], texts)


def test_a_partial_clone_tells_how_to_complete_it(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"x/a": "1"})
    ids = maker.make(tmp_path / "full")
    git(tmp_path / "full", "config", "uploadpack.allowFilter", "true")
    uri = (tmp_path / "full").as_uri()
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=tree:0", uri, "partial")
    repository = open_repository(tmp_path / "partial")

    assert len(repository.read_history()) == 1
    with pytest.raises(RepositoryError, match="fetch --refetch --no-filter"):
        repository.input_digests(ids.values(), ("*.c",))

    git(tmp_path / "partial", "fetch", "--quiet", "--refetch", "--no-filter")
    assert repository.input_digests(ids.values(), ("*.c",))
