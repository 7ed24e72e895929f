import os

import pytest

from sonde.effects.bitcode.cache import BitcodeCache
from sonde.effects.bitcode.values import Bitcode, Skipped, UnitFile

FIRST, SECOND = "aa" * 32, "bb" * 32


@pytest.fixture
def cache(tmp_path) -> BitcodeCache:
    return BitcodeCache(tmp_path, limit_bytes=10_000)


def unit(cache: BitcodeCache, digest: str, content: bytes = b"bitcode", source: str = "a.c") -> UnitFile:
    new = cache.new_folder("one")
    (new / f"{digest}.bc").write_bytes(content)
    return UnitFile(source, digest, cache.take(digest, new))


def test_what_is_kept_is_found_again(cache):
    skipped = (Skipped("fast.S", "it is in assembler"), Skipped("b.c", "bad", True, "error: bad"))
    bitcode = Bitcode({"prog": (unit(cache, FIRST), unit(cache, SECOND, source="b.c"))}, skipped)

    cache.keep("key", bitcode)

    assert cache.find("key") == bitcode
    assert cache.find("other") is None


def test_a_build_with_a_unit_that_was_pruned_is_unknown(cache):
    one = unit(cache, FIRST)
    cache.keep("key", Bitcode({"prog": (one,)}))
    one.path.unlink()

    assert cache.find("key") is None


def test_a_unit_that_was_emptied_is_taken_away_so_that_it_is_compiled_again(cache):
    one = unit(cache, FIRST)
    cache.keep("key", Bitcode({"prog": (one,)}))
    one.path.chmod(0o644)
    one.path.write_bytes(b"")

    assert cache.find("key") is None
    assert not one.path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"outputs": {}}', '{"outputs": 3, "skipped": []}'])
def test_a_damaged_list_of_units_is_no_list(cache, tmp_path, text):
    cache.keep("key", Bitcode({"prog": (unit(cache, FIRST),)}))
    (tmp_path / "builds" / "key.json").write_text(text)

    assert cache.find("key") is None


def test_a_unit_that_is_known_is_not_replaced(cache):
    first = unit(cache, FIRST)

    assert cache.take(FIRST, cache.new_folder("empty")) == first.path
    new = cache.new_folder("forged")
    (new / f"{FIRST}.bc").write_bytes(b"forged")
    assert cache.take(FIRST, new) == first.path
    assert first.path.read_bytes() == b"bitcode"


def test_what_was_not_used_for_longest_goes_first_and_what_is_needed_stays(cache):
    old, needed, young = (unit(cache, digest * 32, b"x" * 100) for digest in ("01", "02", "03"))
    for age, each in enumerate((needed, old, young)):
        os.utime(each.path, (age, age))

    freed = cache.prune(keep={needed.path}, limit_bytes=250)

    assert freed == 100
    assert [each.path.exists() for each in (old, needed, young)] == [False, True, True]
    assert cache.size_bytes() == 200


def test_everything_can_be_pruned(cache):
    cache.keep("key", Bitcode({"prog": (unit(cache, FIRST),)}))

    cache.prune(limit_bytes=0)

    assert cache.size_bytes() == 0
    assert cache.find("key") is None
