"""Two points share samples only if nothing that a run can see differs; else they are measured anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.real.gates import Gate
from tests.real.repositories import RepositoryMaker, git
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

PROJECT = """\
repository = "subject"

[build]
command = "cp src/print.sh print; chmod +x print"
outputs = ["print"]
inputs = ["src/**"]

[benchmarks.print]
command = "{build}/print"
metric = "printed"
pattern = "value (.*)"
runs = 1
"""


def script(text: str) -> str:
    return f"#!/bin/sh\n{text}\n"


def subject(folder, *revisions: Mapping[str, str], tags: dict[str, int] | None = None) -> None:
    """A repository of these revisions; tags name them by their position."""
    maker = RepositoryMaker()
    for files in revisions:
        maker.revision(files)
    for name, position in (tags or {}).items():
        maker.tag(name, position + 1)
    maker.make(folder / "subject")


def measure(folder, *words: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    return dict(json.loads(sonde(folder, "measure", "--json", *words, codes=codes).stdout))


def values(answer: dict[str, Any]) -> list[float | None]:
    return [point.get("value") for point in answer["points"]]


def test_a_changed_variable_of_the_environment_is_measured_anew(tmp_path):
    subject(tmp_path, {"src/print.sh": script("echo value $MODE")})
    for mode in ("1", "2"):
        write_project(tmp_path, PROJECT + f'[environment.variables]\nMODE = "{mode}"\n')
        assert values(measure(tmp_path)) == [float(mode)]


@pytest.mark.slow
def test_a_changed_file_that_runs_may_read_is_measured_anew(tmp_path):
    shown = tmp_path / "shown.txt"
    subject(tmp_path, {"src/print.sh": script(f"echo value $(cat {shown})")})
    write_project(tmp_path, PROJECT + f'[environment]\nreadable = ["{shown}"]\n')
    for content in ("1", "2"):
        shown.write_text(content)
        assert values(measure(tmp_path)) == [float(content)]


@pytest.mark.slow
def test_a_boundary_that_moved_gives_the_right_command(tmp_path):
    subject(
        tmp_path,
        *({"src/print.sh": script("echo value $1"), "n": str(n)} for n in range(3)),
        tags={"stable": 2},
    )
    commands = (
        '[{ run = "{build}/print 1", until = "stable" }, { run = "{build}/print 2", since = "stable" }]'
    )
    write_project(tmp_path, PROJECT.replace('"{build}/print"', commands))
    assert values(measure(tmp_path)) == [1, 1, 2]

    git(tmp_path / "subject", "tag", "--force", "stable", "main~1")

    assert values(measure(tmp_path)) == [1, 2, 2]


@pytest.mark.slow
def test_attributes_of_git_count_as_inputs(tmp_path):
    plain = {"src/print.sh": script("echo value $(wc -c < src.txt)"), "src/text": "a\nb\nc\n"}
    subject(tmp_path, plain, {".gitattributes": "src/text text eol=crlf\n"})
    text = PROJECT.replace('["print"]', '["print", "text"]').replace(
        "cp src/print.sh print;", "cp src/* .; mv print.sh print;"
    )
    write_project(tmp_path, text.replace("{build}/print", "sh -c 'echo value $(wc -c < {build}/text)'"))

    assert values(measure(tmp_path)) == [6, 9]


@pytest.mark.slow
def test_a_submodule_that_was_never_fetched_is_no_empty_folder(tmp_path):
    RepositoryMaker.revision(inner := RepositoryMaker(), {"five": "5"})
    inner.make(tmp_path / "inner")
    subject(tmp_path, {"src/print.sh": script("echo value 0$(cat $0.d/five)")})
    folder = tmp_path / "subject"
    git(folder, "checkout", "--quiet", "main")
    git(
        folder,
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(tmp_path / "inner"),
        "src/inner",
    )
    git(folder, "commit", "--quiet", "-m", "Add a submodule")
    git(tmp_path, "clone", "--quiet", str(folder), str(tmp_path / "clone"))
    text = PROJECT.replace('"subject"', '"clone"').replace('["print"]', '["print", "print.d"]')
    write_project(tmp_path, text.replace("chmod", "cp -r src/inner print.d; chmod"))

    failed = measure(tmp_path, "HEAD^!", codes=(3,))
    git(tmp_path / "clone", "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")

    assert "src/inner was not fetched: run `git submodule update" in failed["points"][0]["failed"]["reason"]
    assert values(measure(tmp_path, "HEAD^!")) == [5]


@pytest.mark.slow
def test_samples_survive_a_build_that_comes_out_differently_after_pruning(tmp_path):
    subject(tmp_path, {"src/print.sh": script("echo value 1")})
    write_project(tmp_path, PROJECT.replace("chmod", "date +%N >> print; sed -i 's/^[0-9]/#/' print; chmod"))
    first = measure(tmp_path)
    sonde(tmp_path, "prune", "--limit", "0")

    ended = sonde(tmp_path, "measure", "--json", "--runs", "3")

    assert "was built again with a different result, so no runs can be added" in ended.stderr
    point = json.loads(ended.stdout)["points"][0]
    assert point["samples"] == first["points"][0]["samples"]
    assert not point["is_complete"]


def test_a_longer_time_limit_is_worth_another_try(tmp_path):
    building, running = Gate(tmp_path / "building", at=1), Gate(tmp_path / "running", at=1)
    subject(
        tmp_path,
        {
            "src/wait.sh": script(building.lines),
            "src/print.sh": script(f"set -- {running.folder}\n{running.lines}echo value 1"),
        },
    )
    build = f"sh src/wait.sh {building.folder}; chmod"
    writable = f'[environment]\nwritable = ["{building.folder}", "{running.folder}"]\n'
    project = PROJECT.replace("chmod", build)

    write_project(
        tmp_path, project.replace('inputs = ["src/**"]', 'inputs = ["src/**"]\ntimeout = "1s"') + writable
    )
    assert "within 1 s" in measure(tmp_path, codes=(3,))["points"][0]["failed"]["reason"]
    building.open()

    write_project(tmp_path, f'{project}timeout = "1s"\n{writable}')
    assert "did not end within 1 s" in measure(tmp_path, codes=(3,))["points"][0]["failed"]["reason"]
    running.open()

    write_project(tmp_path, f'{project}timeout = "300s"\n{writable}')
    assert values(measure(tmp_path)) == [1]
    write_project(tmp_path, f'{project}timeout = "900s"\n{writable}')
    assert measure(tmp_path)["spent"]["runs"] == 0


def test_builds_that_differ_in_an_option_only_are_twins_by_their_outputs(tmp_path):
    subject(tmp_path, {"src/print.sh": script("echo value 1")})
    option = '[options.fast]\nbuild = true\nwords = "fast"\n'
    text = PROJECT.replace("chmod", ": {options}; chmod") + option
    write_project(tmp_path, text)

    answer = measure(tmp_path, "-c", "default", "-c", "fast")

    assert [point.get("twin", {}).get("reason") for point in answer["points"]] == [None, "same build outputs"]


@pytest.mark.slow
def test_an_option_that_is_added_keeps_what_was_measured(tmp_path):
    subject(tmp_path, {"src/print.sh": script("echo value 1")})
    write_project(tmp_path, PROJECT.replace("{build}/print", "{build}/print {options}"))
    measure(tmp_path)

    write_project(
        tmp_path,
        PROJECT.replace("{build}/print", "{build}/print {options}") + '[options.fast]\nwords = "--fast"\n',
    )

    assert measure(tmp_path)["spent"]["runs"] == 0


@pytest.mark.slow
def test_a_benchmark_that_does_not_see_the_options_is_run_once_for_all(tmp_path):
    subject(tmp_path, {"src/print.sh": script("echo value 1")})
    other = '[benchmarks.other]\ncommand = "{build}/print {options}"\n[options.fast]\nwords = "--fast"\n'
    write_project(tmp_path, PROJECT + other)

    answer = measure(tmp_path, "-b", "print", "-c", "default", "-c", "fast")

    assert answer["spent"]["runs"] == 1
    assert answer["points"][1]["twin"]["reason"] == "same command"


@pytest.mark.slow
def test_a_script_among_the_inputs_sees_the_variables_that_it_names(tmp_path):
    subject(tmp_path, {"src/print.sh": script("exec sh run.sh")})
    (tmp_path / "run.sh").write_text("echo value $SONDE_OPT_LEVEL\n")
    option = '[options.level]\nlevels = [3, 4]\nwords = "{value}"\n'
    text = PROJECT.replace("{build}/print", "{build}/print {options}").replace(
        "runs = 1", 'runs = 1\ninputs = ["run.sh"]'
    )
    write_project(tmp_path, text + option)

    assert values(measure(tmp_path, "-c", "level=3", "-c", "level=4")) == [3, 4]


@pytest.mark.slow
def test_links_to_folders_are_outputs_as_well(tmp_path):
    subject(tmp_path, {"src/print.sh": script("cat $(dirname $0)/out/current/text")})
    text = PROJECT.replace(
        "chmod", "mkdir -p out/v1; echo value 7 > out/v1/text; ln -s v1 out/current; chmod"
    )
    write_project(tmp_path, text.replace('["print"]', '["print", "out"]'))

    assert values(measure(tmp_path)) == [7]


LIBRARY = "int number(void) {{ return {}; }}\n"
PROGRAM = (
    '#include <stdio.h>\nint number(void);\nint main(void) {{ printf("value %d\\n", number()); return 0; }}\n'
)
LINKED = (
    "cc -shared -fPIC -o out/libsondenumber.so src/library.c && cc -o tool src/tool.c -Lout -lsondenumber {}"
)


@pytest.mark.needs("cc")
@pytest.mark.parametrize(
    "sandbox",
    [pytest.param((), id="sandbox"), pytest.param(("--no-sandbox",), id="bare", marks=pytest.mark.slow)],
)
def test_a_program_runs_with_the_library_that_was_built_with_it(tmp_path, sandbox):
    first = {"src/tool.c": PROGRAM.format(), "src/library.c": LIBRARY.format(1)}
    subject(tmp_path, first, *({"src/library.c": LIBRARY.format(n)} for n in (2, 3, 4)))

    def request(linking: str, outputs: str) -> None:
        command = "mkdir out && " + LINKED.format(linking)
        text = PROJECT.replace('"cp src/print.sh print; chmod +x print"', f"'''{command}'''")
        write_project(tmp_path, text.replace('["print"]', outputs).replace("{build}/print", "{build}/tool"))

    request("-Wl,-rpath,'$ORIGIN/out'", '["tool", "out"]')
    assert values(measure(tmp_path, *sandbox)) == [1, 2, 3, 4]

    request("-Wl,-rpath,'$ORIGIN/out'", '["tool"]')
    reason = measure(tmp_path, *sandbox, codes=(3,))["points"][0]["failed"]["reason"]
    assert "needs libsondenumber.so, which this build created, but which is not among the outputs" in reason

    request("", '["tool", "out"]')
    reason = measure(tmp_path, *sandbox, codes=(3,))["points"][0]["failed"]["reason"]
    assert "cannot find it" in reason


@pytest.mark.needs("cc")
def test_a_program_that_was_linked_with_a_path_into_its_work_tree_runs_in_the_sandbox(tmp_path):
    first = {"src/tool.c": PROGRAM.format(), "src/library.c": LIBRARY.format(1)}
    subject(tmp_path, first, *({"src/library.c": LIBRARY.format(n)} for n in (2, 3)))
    command = "mkdir out && " + LINKED.format("-Wl,-rpath,$PWD/out")
    text = PROJECT.replace('"cp src/print.sh print; chmod +x print"', f"'''{command}'''")
    write_project(
        tmp_path, text.replace('["print"]', '["tool", "out"]').replace("{build}/print", "{build}/tool")
    )

    assert values(measure(tmp_path)) == [1, 2, 3]
    bare = measure(tmp_path, "--no-sandbox", codes=(3,))  # no number is better than that of another revision
    assert all("failed" in point for point in bare["points"])
