"""The plan of the demo subject keeps what it promises."""

import difflib
import re
from collections import Counter

import pytest

from sonde.effects.demo_subject.configurations import holds, valid_configurations
from sonde.effects.demo_subject.fast_import import import_stream
from sonde.effects.demo_subject.plan import plan, trees
from sonde.effects.demo_subject.planned import Crashes, DoesNotBuild, PlannedRevision, Plant, Quiet, Reason
from sonde.effects.demo_subject.truth import truth

BENCHMARKS = {"pack-text", "pack-image", "verify-log"}


@pytest.fixture(scope="module")
def planned():
    return plan()


@pytest.fixture(scope="module")
def all_trees(planned):
    return list(trees(planned))


def plants(planned: tuple[PlannedRevision, ...]) -> dict[int, Plant]:
    return {i: r.effect for i, r in enumerate(planned) if isinstance(r.effect, Plant)}


def position_of(planned: tuple[PlannedRevision, ...], kind: str) -> int:
    (position,) = (i for i, plant in plants(planned).items() if plant.kind == kind)
    return position


def changed_paths(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def without_comments(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


def test_there_are_about_150_revisions_and_every_edit_applies(all_trees):
    assert len(all_trees) == 150


def test_every_kind_of_change_is_planted(planned):
    kinds = {plant.kind for plant in plants(planned).values()}

    assert kinds == {
        *("core", "option", "option off", "interaction"),
        *("undone", "undoing", "deletion", "constant table"),
    }


def test_at_most_five_changes_show_in_any_configuration(planned):
    for configuration in valid_configurations():
        visible = [i for i, plant in plants(planned).items() if holds(plant.term, configuration)]

        assert 1 <= len(visible) <= 5, configuration


def test_every_planted_change_shows_clearly_in_its_benchmarks(planned):
    for position, plant in plants(planned).items():
        assert plant.steps, position
        assert set(plant.steps) <= BENCHMARKS
        for weakest, strongest in plant.steps.values():
            assert 0.08 <= abs(weakest) <= abs(strongest)
            assert weakest * strongest > 0


def test_each_benchmark_misses_or_shows_something_of_its_own(planned):
    only = {tuple(plant.steps) for plant in plants(planned).values() if len(plant.steps) == 1}

    assert only == {("verify-log",), ("pack-image",)}


def test_the_undoing_comes_late_and_restores_the_file(planned, all_trees):
    done, undone = position_of(planned, "undone"), position_of(planned, "undoing")

    assert undone - done >= 20
    assert without_comments(all_trees[undone]["src/rle.c"]) == without_comments(
        all_trees[done - 1]["src/rle.c"]
    )


def test_the_deletion_only_deletes(planned, all_trees):
    position = position_of(planned, "deletion")
    before, after = all_trees[position - 1], all_trees[position]

    assert changed_paths(before, after) == {"src/huffman.c"}
    lines = difflib.ndiff(before["src/huffman.c"].splitlines(), after["src/huffman.c"].splitlines())
    assert {line[0] for line in lines} == {" ", "-"}


def test_the_constant_table_changes_in_numbers_only(planned, all_trees):
    position = position_of(planned, "constant table")
    before, after = all_trees[position - 1], all_trees[position]

    assert changed_paths(before, after) == {"src/tables.c"}
    assert re.sub(r"\d+", "#", before["src/tables.c"]) == re.sub(r"\d+", "#", after["src/tables.c"])


def test_dozens_of_revisions_are_quiet_for_each_reason(planned):
    reasons = Counter(r.effect.reason for r in planned if isinstance(r.effect, Quiet))

    assert reasons[Reason.DOCUMENTATION] >= 36
    assert reasons[Reason.COMMENTS] >= 20
    assert reasons[Reason.TESTS] >= 20
    assert reasons[Reason.REFACTORING] + reasons[Reason.MESSAGES] >= 24


def test_quiet_revisions_touch_what_their_reason_says(planned, all_trees):
    for position, revision in enumerate(planned[1:], start=1):
        if not isinstance(revision.effect, Quiet):
            continue
        before, after = all_trees[position - 1], all_trees[position]
        paths = changed_paths(before, after)
        match revision.effect.reason:
            case Reason.DOCUMENTATION:
                assert all(path.endswith(".md") for path in paths), position
            case Reason.TESTS:
                assert all(path.startswith("tests/") for path in paths), position
            case Reason.COMMENTS:
                assert all(without_comments(before[p]) == without_comments(after[p]) for p in paths), position
            case _:
                assert all(path.startswith("src/") for path in paths), position


def test_a_few_revisions_do_not_build_and_one_crashes_and_all_are_soon_mended(planned):
    broken = [i for i, r in enumerate(planned) if isinstance(r.effect, DoesNotBuild | Crashes)]

    assert sum(isinstance(planned[i].effect, Crashes) for i in broken) == 1
    assert 3 <= sum(isinstance(planned[i].effect, DoesNotBuild) for i in broken) <= 8
    for i in broken:
        following = [planned[j].effect for j in (i + 1, i + 2)]
        assert Quiet(Reason.MENDING) in following


def test_side_branches_are_merged_and_versions_are_tagged(planned):
    assert sum(bool(revision.branch) for revision in planned) == 3
    assert [revision.tag for revision in planned if revision.tag] == ["v1.0", "v1.1", "v1.2", "v1.3"]


def test_the_dictionary_appears_before_its_tag_and_changes_after_it(planned):
    appears = next(i for i, r in enumerate(planned) if r.effect == Quiet(Reason.NEW_OPTION))
    tagged = next(i for i, r in enumerate(planned) if r.tag == "v1.1")
    changed = next(i for i, plant in plants(planned).items() if "dictionary" in plant.term)

    assert appears < tagged < changed


def test_subjects_are_short_and_unique(planned):
    subjects = [revision.subject for revision in planned]

    assert len(set(subjects)) == len(subjects)
    assert max(map(len, subjects)) < 65


def test_truth_names_every_revision_once(planned):
    told = truth(planned, [f"{i:040x}" for i in range(len(planned))])
    positions = [
        *(point["revision"] for point in told["change_points"]),
        *told["does_not_build"],
        *(crash["position"] for crash in told["crashes"]),
        *(position for quiet in told["quiet"].values() for position in quiet),
    ]

    assert sorted(positions) == list(range(len(planned)))
    assert told["tolerance_revisions"] == 0
    assert all(abs(point["step"]) >= 0.08 for point in told["change_points"])


def test_the_stream_for_git_is_always_the_same(planned):
    assert import_stream(planned) == import_stream(plan())
