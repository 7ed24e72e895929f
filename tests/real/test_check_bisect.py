"""The revision that made a case slower, found in a real repository whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sonde.core.events import BuildEnded, Event, RunBegan
from sonde.core.findings.comparisons import Case, Culprit
from sonde.core.revisions import RevisionId, short
from sonde.methods.comparison.rules import ComparisonRules
from sonde.workflows.check.bisecting.culprit import Bisection, NoCulprit, searched_revisions
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import open_project
from tests.real.checks import check, sonde_here
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import stored_runs, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

REVISIONS, SLOWER, BROKEN, UNREACHED = 12, 8, 7, 4

PROJECT_FILE = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[environment]
writable = ["WORLD"]

[benchmarks.work]
command = "{build}/work WORLD"
metric = "METRIC"
PATTERN
"""

PRINTED = PROJECT_FILE.replace("METRIC", "printed").replace("PATTERN", 'pattern = "took ([0-9.]+)"')
COUNTED = PROJECT_FILE.replace("METRIC", "instructions").replace("PATTERN", "")


@dataclass
class Watching:
    """Notes what is built, and counts what is run: pairs, or single runs if instructions are counted."""

    built: list[RevisionId] = field(default_factory=list)
    runs: int = 0

    def notice(self, event: Event) -> None:
        if isinstance(event, BuildEnded):
            self.built.append(event.revision)
        self.runs += isinstance(event, RunBegan)


@dataclass
class Interrupting(Watching):
    """Presses Ctrl-C after so many runs."""

    after: int = 20

    def notice(self, event: Event) -> None:
        super().notice(event)
        if self.runs == self.after and isinstance(event, RunBegan):
            raise KeyboardInterrupt


NOISE, LITTLE_NOISE = (0, 3, 1, 2, 2, 0, 3, 1), (0, 1, 1, 0)  # taken one after the other, run by run


def printing(
    slower: int, broken: frozenset[int], noise: tuple[int, ...] = NOISE, after: int = 110
) -> Callable[[int], dict[str, str]]:
    """A program that says how long it took, with noise; no two revisions have the same build."""

    def files(position: int) -> dict[str, str]:
        took = 100 if position < slower else after
        script = f"""\
#!/bin/sh
run=$(cat "$1/{position}" 2>/dev/null)
echo $((run + 1)) > "$1/{position}"
set -- {" ".join(map(str, noise))}
shift $(((run + {position}) % {len(noise)}))
echo took $(({took} + $1))
"""
        build = f"# {position}\ncp src/work.sh work\nchmod +x work\n"
        return {"src/work.sh": script, "src/build.sh": "exit 3\n" if position in broken else build}

    return files


def counting(position: int) -> dict[str, str]:
    """A program in C that sums up more from one revision on."""
    rounds = 20_000 if position < SLOWER else 26_000
    unused = f"int unused(void) {{ return {position}; }}\n" if position >= UNREACHED else ""
    step = 1 + position % 3  # which takes as long, but is another build
    body = f"for (volatile long i = 0; i < {rounds} * {step}L; i += {step});"
    build = "exit 3\n" if position == BROKEN else "gcc -O1 -o work src/work.c\n"
    return {"src/work.c": f"{unused}int main(void) {{ {body} return 0; }}\n", "src/build.sh": build}


def make(folder: Path, text: str, files: Callable[[int], dict[str, str]]) -> list[RevisionId]:
    maker = RepositoryMaker()
    for position in range(REVISIONS):
        maker.revision(dict(files(position)), subject=f"Revision {position}")
    ids = maker.make(folder / "subject")
    (folder / "world").mkdir()
    write_project(folder, text.replace("WORLD", str(folder / "world")))
    return [ids[mark] for mark in sorted(ids)]


def find(
    folder: Path,
    range: str,
    watcher: Watching,
    rules: ComparisonRules | None = None,
    *,
    is_failure: bool = False,
) -> Culprit | NoCulprit:
    project = open_project(folder)
    revisions = searched_revisions(project, range)
    with (
        open_tools(project, revisions, ["work"], is_sandboxed=True) as tools,
        tools.executor(watcher) as executor,
    ):
        bisection = Bisection(tools, executor, rules or ComparisonRules(), watcher)
        search = bisection.find_failure if is_failure else bisection.find
        found = search(Case("work", project.file.space.default), revisions)
        assert bisection.cost.runs >= watcher.runs
        return found


@pytest.mark.slow
def test_through_noise_the_revision_is_found_with_a_broken_one_next_to_it(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset({BROKEN})))

    found = find(tmp_path, f"{ids[1]}..", Watching())

    assert isinstance(found, Culprit)
    assert (found.earliest.id, found.revision.id) == (ids[BROKEN], ids[SLOWER])
    assert found.confidence >= 0.95
    assert 2 <= found.probed <= 8
    assert f"not decided for {short(ids[BROKEN])}" in found.reason
    assert "printed changes by about +" in found.reason


@pytest.mark.slow
def test_interrupted_in_the_middle_it_goes_on_where_it_was_and_then_takes_nothing(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset(), noise=(0,)))
    quick = ComparisonRules(error=0.3)
    with pytest.raises(KeyboardInterrupt):
        find(tmp_path, f"{ids[0]}..", interrupted := Interrupting(), quick)
    before = stored_runs(tmp_path)

    resumed = find(tmp_path, f"{ids[0]}..", watcher := Watching(), quick)
    after = stored_runs(tmp_path)
    again = find(tmp_path, f"{ids[0]}..", idle := Watching(), quick)

    assert isinstance(resumed, Culprit)
    assert resumed.earliest == resumed.revision
    assert resumed.revision.id == ids[SLOWER]
    built = [*interrupted.built, *watcher.built]
    assert len(built) == len(set(built)) == resumed.probed + 2
    assert before < after
    assert len(after - before) == 2 * watcher.runs  # none was taken in vain
    continued = {each.measurement for each in before} & {each.measurement for each in after - before}
    assert len(continued) <= 4  # both runs of both comparisons that the interrupted decision takes
    assert again == resumed
    assert (idle.built, idle.runs) == ([], 0)


@pytest.mark.slow
def test_the_revision_that_made_it_faster(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset(), LITTLE_NOISE, after=80))

    found = find(tmp_path, f"{ids[SLOWER - 3]}..", Watching())

    assert isinstance(found, Culprit)
    assert found.earliest == found.revision
    assert found.revision.id == ids[SLOWER]
    assert "printed changes by about -" in found.reason


@pytest.mark.slow
def test_the_revision_from_which_on_it_fails(tmp_path):
    def files(position: int) -> dict[str, str]:
        ending = "exit 7" if position >= SLOWER else "echo took 1"
        build = "exit 3\n" if position == BROKEN else f"# {position}\ncp src/work.sh work\nchmod +x work\n"
        return {"src/work.sh": f"#!/bin/sh\n# {position}\n{ending}\n", "src/build.sh": build}

    ids = make(tmp_path, PRINTED, files)

    found = find(tmp_path, f"{ids[0]}..", watcher := Watching(), is_failure=True)
    later = find(tmp_path, f"{ids[SLOWER]}..", Watching(), is_failure=True)

    assert isinstance(found, Culprit)
    assert (found.earliest.id, found.revision.id) == (ids[BROKEN], ids[SLOWER])
    assert found.reason.startswith("it fails from that revision on: ")
    assert watcher.runs <= 2 * (found.probed + 2)  # what fails is run twice
    assert later == NoCulprit(found.case, f"{short(ids[SLOWER])} already fails")


AT_FIRST, LATER = 'mkdir "$1/{0}" 2>/dev/null && exit 7', 'mkdir "$1/{0}" 2>/dev/null || exit 7'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("unsteady", "how", "at"),
    [(REVISIONS - 1, AT_FIRST, REVISIONS - 1), (SLOWER - 1, LATER, SLOWER - 1)],
    ids=["the new end", "the last one that runs"],
)
def test_no_revision_is_named_where_runs_fail_only_at_times(tmp_path, unsteady, how, at):
    def files(position: int) -> dict[str, str]:
        ending = "exit 7" if position >= SLOWER else "true"
        before = how.format(position) if position == unsteady else ending
        script = f"#!/bin/sh\n# {position}\n{before}\necho took 1\n"
        return {"src/work.sh": script, "src/build.sh": "cp src/work.sh work\nchmod +x work\n"}

    ids = make(tmp_path, PRINTED, files)

    found = find(tmp_path, f"{ids[0]}..", Watching(), is_failure=True)

    assert isinstance(found, NoCulprit)
    assert short(ids[at]) in found.reason
    assert "Some runs fail" in found.reason


@pytest.mark.slow
def test_ends_that_noise_makes_alike_are_not_searched(tmp_path):
    ids = make(tmp_path, PRINTED, printing(REVISIONS, frozenset(), noise=(0, 3)))

    found = find(tmp_path, f"{ids[0]}..", Watching(), ComparisonRules(most_pairs=2))

    assert isinstance(found, NoCulprit)
    assert "They do not differ clearly after 10 pairs" in found.reason


def test_an_end_that_does_not_build_is_said(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset({4})))

    found = find(tmp_path, f"{ids[4]}..", Watching())

    assert isinstance(found, NoCulprit)
    assert found.reason.startswith(f"{short(ids[4])} does not build")


def test_a_range_begins_with_the_revision_before_it(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset()))
    project = open_project(tmp_path)

    assert [each.id for each in searched_revisions(project, f"{ids[9]}..")] == ids[9:]
    assert [each.id for each in searched_revisions(project, "")] == ids


@pytest.mark.needs("gcc", "valgrind")
def test_by_instructions_it_takes_two_runs_a_revision_and_no_more_than_halving(tmp_path):
    ids = make(tmp_path, COUNTED, counting)

    found = find(tmp_path, f"{ids[0]}..", watcher := Watching())

    assert isinstance(found, Culprit)
    assert (found.earliest.id, found.revision.id) == (ids[BROKEN], ids[SLOWER])
    assert found.confidence == 1.0
    assert watcher.runs <= 2 * (found.probed + 2)
    assert found.probed <= 5
    assert "instructions change by +" in found.reason


@pytest.mark.needs("gcc", "valgrind")
def test_ends_with_the_same_code_are_proven_equal(tmp_path):
    ids = make(tmp_path, COUNTED, lambda position: counting(3 * (position % 2)))

    found = find(tmp_path, f"{ids[0]}..{ids[3]}", watcher := Watching())

    assert isinstance(found, NoCulprit)
    assert found.reason == "the ends of the range are proven equal"
    assert watcher.runs == 0


def test_the_command_names_the_revision_that_made_it_slower(tmp_path):
    ids = make(tmp_path, PRINTED, printing(SLOWER, frozenset({BROKEN}), noise=(0,)))
    both = f"{ids[5]}..main"

    answer = check(tmp_path, both, "--bisect", both, code=1)

    (culprit,) = answer["culprits"]
    assert culprit["earliest"]["id"] == ids[BROKEN]
    assert culprit["revision"]["id"] == ids[SLOWER]
    assert culprit["confidence"] >= 0.95


@pytest.mark.slow
def test_the_command_names_the_revision_from_which_on_it_fails(tmp_path):
    def files(position: int) -> dict[str, str]:
        ending = "exit 7" if position >= SLOWER else "echo took 1"
        return {
            "src/work.sh": f"#!/bin/sh\n# {position}\n{ending}\n",
            "src/build.sh": "cp src/work.sh work\nchmod +x work\n",
        }

    ids = make(tmp_path, PRINTED, files)
    both = f"{ids[0]}..main"

    text = sonde_here(tmp_path, "check", both, "--bisect", both, code=1).stdout

    words = " ".join(text.split())
    assert f"the change is at {short(ids[SLOWER])}" in words
    assert "it fails from that revision on: " in words
