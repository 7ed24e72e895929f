"""Patterns that choose build inputs, beside a slow twin that looks at whole paths."""

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.errors import ProjectFileError
from sonde.effects.git.patterns import Patterns

names = st.text("ab.", min_size=1, max_size=3).filter(lambda name: name not in {".", ".."})
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
parts = st.text("ab.*?[]!", min_size=1, max_size=3).filter(lambda part: part not in {".", ".."}) | st.just(
    "**"
)
patterns = st.builds(
    lambda out, front, middle, end: out + front + "/".join(middle) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(parts, min_size=1, max_size=3).filter(lambda parts: not parts[0].startswith("!")),
    st.sampled_from(["", "", "/"]),
)


def slowly_matches(parts: list[str], names: list[str]) -> bool:
    if not parts:
        return not names
    if parts[0] != "**":
        return bool(names) and fnmatchcase(names[0], parts[0]) and slowly_matches(parts[1:], names[1:])
    if len(parts) == 1:
        return bool(names)
    return any(slowly_matches(parts[1:], names[skipped:]) for skipped in range(len(names) + 1))


def slowly_chosen(texts: tuple[str, ...], path: str) -> bool:
    chosen = bool(texts) and texts[0].startswith("!")
    names = path.split("/")
    for text in texts:
        pattern = text.removeprefix("!")
        parts = [part for part in pattern.split("/") if part]
        if "/" not in pattern.rstrip("/"):
            parts = ["**", *parts]
        for length in range(1, len(names) + 1):
            is_folder = length < len(names)
            if slowly_matches(parts, names[:length]) and (is_folder or not pattern.endswith("/")):
                chosen = not text.startswith("!")
    return chosen


@given(st.lists(patterns, max_size=4).map(tuple), st.lists(paths, max_size=5))
def test_patterns_choose_what_the_slow_twin_chooses(texts, paths):
    chooser = Patterns(texts)

    assert [chooser.choose_path(path) for path in paths] == [slowly_chosen(texts, path) for path in paths]


@given(st.lists(patterns, max_size=4).map(tuple), paths, paths)
def test_a_settled_folder_decides_all_files_below_alike(texts, folder, path):
    chooser = Patterns(texts)
    standing = chooser.root
    for name in folder.split("/"):
        standing = chooser.enter(standing, name)

    if standing.is_settled:
        assert slowly_chosen(texts, f"{folder}/{path}") == standing.chosen


@pytest.mark.parametrize(
    ("texts", "chosen", "not_chosen"),
    [
        (("**",), ["a", "a/b", ".x/y"], []),
        ((), [], ["a", "a/b"]),
        (("src/**",), ["src/a", "src/a/b"], ["src", "a/src/b", "a"]),
        (("*.c",), ["a.c", "x/y/a.c"], ["a.h", "a.c.h"]),
        (("Makefile",), ["Makefile", "x/Makefile"], ["makefile", "Makefile.am"]),
        (("/Makefile",), ["Makefile"], ["x/Makefile"]),
        (("doc/",), ["doc/a", "x/doc/a"], ["doc", "x/doc"]),
        (("src/*.c",), ["src/a.c"], ["src/x/a.c", "x/src/a.c"]),
        (("a/**/b",), ["a/b", "a/x/b", "a/x/y/b", "a/b/z"], ["b", "x/a/b"]),
        (("**", "!doc/**"), ["a", "docs/a"], ["doc/a", "doc/x/a"]),
        (("**", "!doc/**", "doc/version.txt"), ["doc/version.txt", "a"], ["doc/a"]),
        (("!doc",), ["a", "x/a"], ["doc", "doc/a", "x/doc/a"]),
        (("!*.md", "**", "!doc"), ["a.md"], ["doc/a"]),
        (("./a", "./src/b"), ["a", "src/b"], ["x/a", "x/src/b"]),
        (("[!a]", "[^b]c"), ["b", "ac"], ["a", "bc"]),
        ((r"\!a", r"b\*"), ["!a", "b*"], ["a", "bc"]),
        (("[z-a]",), [], ["a", "z", "m"]),
        (("schön?",), ["schöne"], ["schön"]),
    ],
)
def test_patterns_read_as_documented(texts, chosen, not_chosen):
    chooser = Patterns(texts)

    assert [path for path in chosen if not chooser.choose_path(path)] == []
    assert [path for path in not_chosen if chooser.choose_path(path)] == []


@pytest.mark.parametrize("text", ["", "!", "/", "!/", ".", "./", "../src", "a/../b"])
def test_a_pattern_that_can_match_nothing_is_a_mistake(text):
    with pytest.raises(ProjectFileError, match="Write"):
        Patterns(("**", text))
