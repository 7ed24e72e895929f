"""`sonde replay select` from a table of tuples to its rates."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from sonde.cli.app import app
from sonde.core.errors import UserError

HEAD = (
    "child,parent,bench,same,dir,unj,del,new,rdel,topcall,topcall10,topinstr,len,rlen,"
    "share,wdelta,nch,nrch,maxshare,objch,newref"
)
BENCHMARKS = ("pack", "unpack", "scan")


def row(child, bench, change, share=0.0, length=0.0, objects=0, same=False):
    rank = 100 if share > 20 else 40 if share else 0
    reached = int(share > 0)
    numbers = (
        f"0,0,0,{rank},0,{rank},{length},{length if share else 0},{share},0,1,{reached},{share},{objects},0"
    )
    return f"{child},p{child},{bench},{same},{change},1e-6,{numbers}"


def written(folder, rows):
    file = folder / "tuples.csv"
    file.write_text("\n".join([HEAD, *rows]) + "\n")
    return file


@pytest.fixture
def tuples(tmp_path):
    """Sixty revisions: a third touches hot code of one benchmark, a third cold code, a third nothing."""
    rng = np.random.default_rng(5)
    rows = []
    for revision in range(60):
        for benchmark in range(3):
            kind = revision % 3 if revision % 9 // 3 == benchmark else 2
            if kind == 0:
                rows.append(row(revision, BENCHMARKS[benchmark], rng.uniform(1, 9), rng.uniform(40, 99), 4))
            elif kind == 1:
                rows.append(row(revision, BENCHMARKS[benchmark], 0.001, rng.uniform(0.001, 0.1), 4))
            else:
                rows.append(row(revision, BENCHMARKS[benchmark], 0.0, same=revision % 2 == 0))
    return written(tmp_path, rows)


def run(*words: object) -> str:
    result = CliRunner().invoke(app, ["replay", "select", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def answer(*words: object):
    return json.loads(run(*words, "--json"))


@pytest.mark.parametrize("learner", ["greedy", "share"])
@pytest.mark.parametrize("scope", ["common", "benchmark"])
def test_hot_changes_are_caught_and_the_rest_is_dismissed(tuples, learner, scope):
    found = answer(tuples, "--learner", learner, "--scope", scope, "--catch", "80%")

    assert (found["hits"], found["tuples"]) == (20, 180)
    assert found["hit"] >= 0.7
    assert found["dismiss"] >= 0.85
    low, high = found["hit_interval"]
    assert low <= found["hit"] <= high
    assert found["proven"] >= 100
    assert len(found["rules"]) == (1 if scope == "common" else 3)


def test_the_papers_indicators_can_be_had(tuples):
    assert answer(tuples, "--indicators", "paper")["hit"] == 1


def test_a_seed_decides_the_parts(tuples):
    assert answer(tuples, "--seed", 3) == answer(tuples, "--seed", 3)


def test_a_hit_is_above_the_threshold_whatever_its_sign(tmp_path):
    rows = [row(1, "pack", -0.5, 50, 1), row(2, "pack", 0.1, 50, 1), row(3, "pack", 0.11, 50, 1)]

    assert answer(written(tmp_path, rows), "--threshold", "0.1%")["hits"] == 2


def test_without_hits_the_hit_rate_is_null_with_a_reason_and_what_changed_runs(tmp_path):
    found = answer(written(tmp_path, [row(1, "pack", 0, 50, 1), row(2, "pack", 0)]))

    assert (found["hit"], found["hits"], found["dismiss"]) == (None, 0, 0.5)
    assert found["reason"] == "there is no hit"
    assert found["hit_interval"] is None


def test_a_single_revision_is_enough(tmp_path):
    found = answer(written(tmp_path, [row(1, "pack", 5, 50, 1), row(1, "unpack", 0)]))

    assert (found["hit"], found["dismiss"], found["folds"]) == (1, 1, 1)


def test_hits_that_nothing_explains_are_told(tmp_path):
    rows = [row(1, "pack", 5), row(2, "pack", 5, 50, 1), row(3, "pack", 5, same=True)]

    found = answer(written(tmp_path, rows))

    assert found["proven_hits"] == 2
    assert found["warnings"][0].startswith("2 of the hits")


def test_a_profile_that_says_too_little_proves_nothing(tmp_path):
    rows = [row(1, "pack", 5).replace("1e-6", "0.02"), row(2, "pack", 0).replace("1e-6", "0.001")]

    found = answer(written(tmp_path, rows))

    assert (found["hit"], found["dismiss"], found["proven"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--learner", "forest"], "there is no learner 'forest'"),
        (["--scope", "all"], "there is no scope 'all'"),
        (["--indicators", "all"], "there are no indicators 'all'"),
        (["--learner", "share", "--indicators", "paper"], "has its own indicator"),
        (["--threshold", "-1%"], "threshold '-1%' is invalid"),
        (["--learner", "share", "--catch", "100%"], "--catch '100%' is invalid"),
    ],
)
def test_what_cannot_be_understood_is_told(tuples, words, part):
    with pytest.raises(UserError, match=part):
        CliRunner().invoke(app, ["replay", "select", str(tuples), *words], catch_exceptions=False)


def test_the_text_reads_as_it_should(tuples, golden, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    golden(
        "report/replay-select.txt", run(tuples) + "\n" + run(tuples, "--learner", "share", "--catch", "99%")
    )
