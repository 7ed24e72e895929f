"""The study of selection, end to end on tuples that are made up, and on a small project."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from sonde.core.errors import UserError
from sonde.core.findings.selection_rates import SelectionRates
from sonde.core.findings.selections import Churn
from sonde.core.revisions import Revision, RevisionId
from sonde.methods.selection.evaluation import cross_validated, validated_apart
from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import INDICATORS
from sonde.methods.selection.rates import rate
from studies.select import churn_table, proof_table
from studies.select.project_evidence import (
    NOT_REACHED,
    SAME_CODE,
    UNPROVEN,
    ProjectEvidence,
    Step,
    Told,
    is_document,
)
from studies.select.report import Study, write_report
from studies.select.rules import ALL, PAPER, PROOF, SHARE, Averaged
from studies.select.tuple_sets import read_tuple_set

REVISIONS = 40
HOPS = 3
BENCHMARKS = ("pack", "unpack")


def made_up_row(child: int, parent: int, benchmark: str) -> dict[str, object]:
    """Every fourth revision changes half of `pack`, by as many percent; every other one nothing reached."""
    steps = [at for at in range(parent + 1, child + 1) if at % 4 == 0]
    is_reached = bool(steps) and benchmark == "pack"
    values = dict.fromkeys(INDICATORS, 0.0)
    values |= {"new": float(child - parent)}
    if is_reached:
        share = {"share": 50.0, "maxshare": 50.0, "weight": 5.0, "topinstr": 100.0, "rlen": 10.0, "nrch": 1.0}
        values |= share
    change = sum(at % 3 for at in steps) if is_reached else 0.0  # every third change costs nothing
    fixed = {"child": f"r{child}", "parent": f"r{parent}", "bench": benchmark, "dir": change, "unj": 0.0}
    return {**fixed, "same": not is_reached, "hops": child - parent, "seconds": 2.0, **values}


def write_tuples(file: Path, hops: int, without: tuple[str, ...] = ()) -> Path:
    rows = [
        made_up_row(child, child - distance, benchmark)
        for child in range(1, REVISIONS)
        for distance in range(1, min(hops, child) + 1)
        for benchmark in BENCHMARKS
    ]
    kept = [name for name in rows[0] if name not in without]
    with file.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, kept, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return file


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """As `sonde select --train --hops 3` writes it."""
    return write_tuples(tmp_path / "far.csv", HOPS)


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """As a recording has it: neighbours alone, and no times."""
    return write_tuples(tmp_path / "near.csv", 1, without=("hops", "seconds"))


def test_every_table_has_its_rows(near, far):
    study = Study(((near,), (far,)), folds=5, seeds=2, promise_seeds=2, size_seeds=2)

    sections = sections_of(write_report(study))

    assert len(sections["Is a proof ever wrong?"]) == 2
    assert len(sections["Effectiveness (Table IV, questions a and b)"]) == 2 * 3 * len(ALL) + 4
    assert len(sections["Is a promise kept?"]) == 2 * 3 * 4
    assert len(sections["Size of the training set (Figure 3, question c)"]) == 2 * 9
    assert len(sections["From one project to another (question d)"]) == 2 * 3
    assert len(sections["Distance to the last known revision (Figure 4, question e)"]) == 2 * HOPS
    assert len(sections["Synthetic training sets (Table V, question f)"]) == 3 * HOPS + 3


def test_a_page_names_no_folder_of_this_machine(near, tmp_path):
    page = write_report(Study(((near,),), seeds=1, promise_seeds=1, size_seeds=1))

    assert str(tmp_path) not in page
    assert "nan" not in page


def test_a_set_without_distant_pairs_says_so(near):
    page = write_report(Study(((near,),), seeds=1, promise_seeds=1, size_seeds=1))

    assert page.count("No set of tuples has pairs of revisions that are more than one hop apart.") == 2
    assert "It takes two sets of tuples; one was given." in page


def test_files_of_one_project_are_one_set(near, far):
    both = read_tuple_set([near, far])

    assert both.name == "near + far"
    assert len(both.tuples) == len(read_tuple_set([near]).tuples) + len(read_tuple_set([far]).tuples)


def test_a_file_without_an_indicator_is_a_mistake_of_the_user(tmp_path):
    file = write_tuples(tmp_path / "poor.csv", 1, without=("share",))

    with pytest.raises(UserError, match="there is no column 'share'"):
        write_report(Study(((file,),)))


def test_hops_and_order_are_those_of_the_file(far):
    tuples = read_tuple_set([far])

    assert tuples.most_hops == HOPS
    assert tuples.order == tuple(f"r{at}" for at in range(REVISIONS))
    assert {each.hops for each in tuples.pairs(0.001, 2)} == {1, 2}


def test_a_time_that_was_not_taken_does_not_count(tmp_path, near):
    seconds = tmp_path / "seconds.csv"
    seconds.write_text("sha,bench,wall_s\na,pack,3\nb,pack,5\nc,pack,\nc,unpack,1\n")

    assert read_tuple_set([near]).seconds == {}
    assert read_tuple_set([near], seconds).seconds == {"pack": 4.0, "unpack": 1.0}


def test_a_proof_alone_runs_all_that_is_not_proven(far):
    examples = read_tuple_set([far]).pairs(0.001, 1)

    rates = cross_validated(PROOF.way(), PROOF.seen(examples), 5, 0)

    assert rates.hit.value == 1.0
    assert rates.skipped == sum(each.is_proven for each in examples)


def test_without_a_proof_every_tuple_is_left_to_the_rule(far):
    examples = read_tuple_set([far]).pairs(0.001, 1)

    assert any(each.is_proven for each in SHARE.seen(examples))
    assert not any(each.is_proven for each in PAPER.seen(examples))


def test_training_and_test_share_no_revision(far):
    tuples = read_tuple_set([far])
    pairs = tuples.pairs(0.001, HOPS)
    seen: list[frozenset[str]] = []

    class Watching:
        def learn(self, examples):
            seen.append(frozenset(name for each in examples for name in (each.revision, each.base)))
            return PROOF.learner.learn(examples)

    way = replace(PROOF.way(), learner=Watching())
    rates = validated_apart(way, pairs, tuples.order, 4, HOPS)

    assert rates.tuples == len(pairs)
    size = len(tuples.order) // 4
    for part, trained in enumerate(seen):
        block = tuples.order[part * size : (part + 1) * size]
        assert trained.isdisjoint(ends_of(each for each in pairs if each.revision in block))


def ends_of(examples) -> set[str]:
    return {name for each in examples for name in (each.revision, each.base)}


def some_rates(rng: Random) -> SelectionRates:
    hits, others = rng.randint(0, 5), rng.randint(0, 50)
    return SelectionRates(
        rate(rng.randint(0, hits), hits), rate(rng.randint(0, others), others), 0, 0, 1.0, 0.5
    )


def test_partitions_do_not_narrow_an_interval():
    once = SelectionRates(rate(9, 10), rate(80, 100), 0, 0, 1.0, 0.5)

    averaged = Averaged.of([once] * 50)

    assert (averaged.hit_interval.low, averaged.hit_interval.high) == (once.hit.low, once.hit.high)
    assert str(averaged) == "0.90 / 0.80"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("README.md", True),
        ("doc/lz4.txt", True),
        ("NEWS", True),
        ("lib/lz4.c", False),
        ("CMakeLists.txt", False),
    ],
)
def test_documents_are_known_by_their_names(name, answer):
    assert is_document(name) is answer


def test_changed_functions_are_summed_up_with_documentation_apart():
    steps = [made_up_step(raw=30, masked=2), made_up_step(raw=0, masked=0, is_documentation=True)]
    evidence = ProjectEvidence("made-up", (), tuple(steps), {"it has no snapshot": 3}, ())

    section = churn_table.section(evidence)

    assert "| all | 2 | 100 | 30 | 15.0 | 1 | 2 | 1.0 | 1 | 2 | 1.0 | 1 |" in section
    assert "| documentation alone | 1 | 100 | 0 | 0.0 | 0 |" in section
    assert "Left out: 3 because it has no snapshot." in section
    assert "The first 1 of 1 revisions" in section


def made_up_step(raw: int, masked: int, is_documentation: bool = False) -> Step:
    revision = Revision(RevisionId("a" * 40), (RevisionId("b" * 40),), 0, "somebody", "Pack | faster")
    return Step(revision, is_documentation, Churn(100, raw, masked, masked, 0, 0, 0))


def test_only_what_is_measured_twice_tests_a_proof():
    told = (
        Told(SAME_CODE, 0.0, 1, is_hit=False, is_measured_apart=False),
        Told(NOT_REACHED, 0.002, 1, is_hit=True, is_measured_apart=True),
        Told(NOT_REACHED, 0.0, 4, is_hit=False, is_measured_apart=True),
        Told(UNPROVEN, 0.3, 1, is_hit=True, is_measured_apart=True),
    )

    rows = proof_table.of_project(ProjectEvidence("made-up", (), (), {}, told)).splitlines()[2:]

    assert rows == [
        f"| {SAME_CODE} | 1 | 1 | 0 | n/a | 0 | 0 |",
        f"| {NOT_REACHED} | 1 | 1 | 1 | 0.2 % | 1 | 1 |",
        f"| {NOT_REACHED} | more | 1 | 1 | 0 % | 0 | 0 |",
        f"| {UNPROVEN} | 1 | 1 | 1 | 30 % | 1 | n/a |",
    ]


def test_a_project_without_training_says_so():
    section = proof_table.of_project(ProjectEvidence("made-up", (), (), {}, ()))

    assert section == "The store has no tuples of it. `sonde select --train` makes them."


def sections_of(page: str) -> Mapping[str, list[str]]:
    """The rows of the tables of each section, without their heads."""
    return {part.partition("\n")[0]: rows_of(part) for part in page.split("\n## ")}


def rows_of(part: str) -> list[str]:
    lines = [line for line in part.splitlines() if line.startswith("|")]
    heads = {at - 1 for at, line in enumerate(lines) if line.startswith("| ---")}
    return [line for at, line in enumerate(lines) if at not in heads and at - 1 not in heads]


def test_an_example_without_a_time_counts_as_one_second(near):
    examples: list[Example] = read_tuple_set([near]).pairs(0.001, 1)

    assert {each.seconds for each in examples} == {1.0}
