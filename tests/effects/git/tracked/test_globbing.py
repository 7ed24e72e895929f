"""Patterns on names give what they give on files."""

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.git.tracked.globbing import is_named
from sonde.effects.runs.inputs import files_named

NAMES = st.lists(st.sampled_from(["a", "b.c", "ab", ".d"]), min_size=1, max_size=4).map("/".join)
PATTERNS = st.lists(st.sampled_from(["a", "*", "*.c", "?b", "[ab]*", "**", "."]), min_size=1, max_size=4).map(
    "/".join
)


@given(names=st.sets(NAMES, max_size=6), pattern=PATTERNS)
def test_patterns_name_the_same_as_on_files(names, pattern):
    taken = {name for name in names if not any(other.startswith(f"{name}/") for other in names)}
    with TemporaryDirectory() as folder:
        for name in taken:
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / name).touch()
        on_files = files_named(Path(folder), [pattern]) if PurePosixPath(pattern).parts else taken

    assert {name for name in taken if is_named(name, pattern)} == on_files
