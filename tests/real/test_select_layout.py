"""The C library's string functions take more steps near the end of a page: what moves there is not proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from sonde.effects.runs import SandboxRuns
from sonde.methods.selection.proof import Doubt, Proven
from tests.real.run_orders import open_runs
from tests.real.test_select_limits import built, profile_of, proof, snapshot_of

pytestmark = pytest.mark.needs("gcc", "valgrind")

# Nothing refers to `before`, which pushes the text; `between` keeps it so far away that nothing may mean it.
PROGRAM = r"""
#include <string.h>
__attribute__((used, aligned(4096))) {kind} char before[{size}] = {{1}};
__attribute__((used, aligned(1))) {kind} char between[80] = {{2}};
__attribute__((aligned(1))) {kind} char word[] = "keyword";
{kind} char *{table}[] = {{word}};
int main(int count, char **words)
{{
    volatile unsigned sum = 0;
    for (int i = 0; i < 2000; i++) sum += strcmp({how}, words[0]) != 0;
    return 0;
}}
"""
NAMED = {"kind": "const", "table": "unused", "how": "word"}
POINTED_TO = {"kind": "", "table": "table", "how": "*(char *volatile *)table"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SandboxRuns:
    return open_runs("bare", tmp_path_factory.mktemp("state"))


def made(folder: Path, size: int, words: dict[str, str]) -> Path:
    return built(folder, PROGRAM.format(size=size, **words), "-fno-builtin", "-fno-toplevel-reorder")


@pytest.mark.parametrize("words", [NAMED, POINTED_TO], ids=["named", "pointed to"])
def test_a_text_that_moves_to_the_end_of_a_page_costs_more_and_is_not_proven(words, runs, tmp_path):
    old, near_end, a_page_on = (
        made(tmp_path / str(size), size, words) for size in (64, 4096 - 3 - 80, 4096 + 64)
    )
    before, after, again = (
        profile_of(runs, each, "/sonde/build/program") for each in (old, near_end, a_page_on)
    )

    assert snapshot_of(old).functions.keys() == snapshot_of(near_end).functions.keys()
    assert before.text_functions["strcmp"] > 0
    assert after.total > 1.001 * before.total
    doubt = proof(old, near_end, before)
    assert isinstance(doubt, Doubt)
    assert doubt.reasons == doubt.moved
    assert again.total == pytest.approx(before.total, rel=1e-4)
    assert isinstance(proof(old, a_page_on, before), Proven)


@pytest.mark.slow
def test_a_text_without_a_name_is_followed_too(runs, tmp_path):
    program = r"""
    #include <stdio.h>
    #include <string.h>
    __attribute__((noipa)) int other(void) {{ return puts("{other}"); }}
    int main(int count, char **words)
    {{
        volatile unsigned sum = 0;
        for (int i = 0; i < 2000; i++) sum += strcmp("keyword", words[0]) != 0;
        return count > 5 ? other() : 0;
    }}
    """
    old = built(tmp_path / "old", program.format(other="short"), "-fno-builtin")
    new = built(tmp_path / "new", program.format(other="longer by far"), "-fno-builtin")

    taken = profile_of(runs, old, "/sonde/build/program")

    doubt = proof(old, new, taken)
    assert isinstance(doubt, Doubt)
    assert doubt.reasons == doubt.moved
    assert isinstance(proof(old, old, taken), Proven)
