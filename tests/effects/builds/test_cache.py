from __future__ import annotations

import os

import pytest

from sonde.core.records import Fingerprint
from sonde.effects.builds.cache import BuildCache
from sonde.effects.builds.outputs import Outputs

OUTPUTS = Outputs(("program",))


@pytest.fixture
def cache(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "program").write_bytes(b"x" * 100)
    return BuildCache(tmp_path / "builds", limit_bytes=250)


def add(cache, tmp_path, name: str, used_at: float) -> Fingerprint:
    folder = cache.add(Fingerprint(name), tmp_path / "tree", OUTPUTS)
    os.utime(folder, (used_at, used_at))
    return Fingerprint(name)


def test_what_was_added_is_found_and_what_was_not_is_not(cache, tmp_path):
    add(cache, tmp_path, "a", 1)

    assert (cache.find(Fingerprint("a")) / "program").read_bytes() == b"x" * 100
    assert cache.find(Fingerprint("b")) is None


def test_pruning_removes_what_was_not_used_for_longest(cache, tmp_path):
    for number, name in enumerate("abcd"):
        add(cache, tmp_path, name, number)
    cache.find(Fingerprint("a"))  # finding counts as using

    assert cache.prune() == 200
    assert [name for name in "abcd" if cache.find(Fingerprint(name))] == ["a", "d"]
    assert cache.size_bytes() == 200


def test_pruning_keeps_what_is_needed_even_over_the_limit(cache, tmp_path):
    names = {add(cache, tmp_path, name, number) for number, name in enumerate("abcd")}

    assert cache.prune(keep=names) == 0
    assert cache.prune(keep=names, limit_bytes=0) == 0
    assert cache.prune(limit_bytes=0) == 400


def test_what_a_killed_process_left_unfinished_is_never_found_and_goes_away(cache, tmp_path):
    (tmp_path / "builds" / "unfinished-a").mkdir(parents=True)
    (tmp_path / "builds" / "unfinished-a" / "program").write_text("half")

    assert cache.find(Fingerprint("a")) is None
    add(cache, tmp_path, "a", 1)
    cache.prune()
    assert [folder.name for folder in (tmp_path / "builds").iterdir()] == ["a"]


def test_an_empty_cache_has_nothing_to_prune(cache):
    assert cache.prune(limit_bytes=0) == 0
    assert cache.size_bytes() == 0
