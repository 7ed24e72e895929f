"""Every mistake of a user says what happened, where, and what to do; nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import subprocess

import pytest

from sonde.core.records import SampleRecord
from sonde.effects.store import open_store
from tests.real.sandboxes import living, long_sleep, wait_until
from tests.real.subjects import PROJECT_FILE, SONDE, make_subject, sonde, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")


@pytest.fixture
def project(tmp_path):
    write_project(tmp_path)
    make_subject(tmp_path)
    return tmp_path


def complaint(project, *words: str, code: int) -> str:
    said = sonde(project, *words, codes=(code,)).stderr
    return said.replace(str(project), "PROJECT")


def benchmark(line: str, more: str = "") -> str:
    return PROJECT_FILE.replace(
        'command = "{build}/work {options}"', f"command = '{line}'\nshell = true\n{more}"
    )


def test_a_folder_without_a_project_file(tmp_path):
    said = complaint(tmp_path, "measure", code=2)

    assert "sonde.toml" in said
    assert "sonde init" in said


def test_a_repository_that_is_not_one(project):
    write_project(project, PROJECT_FILE.replace('"subject"', '"."'))

    said = complaint(project, "measure", code=2)

    assert "PROJECT" in said
    assert "git" in said


@pytest.mark.parametrize("range", slow_except(["v9.."], ["v9..", "nothing", "v1..v1", "HEAD~99..", "--all"]))
def test_a_range_that_git_does_not_know(project, range):
    words = ("measure", "--", range) if range.startswith("--") else ("measure", range)

    said = complaint(project, *words, code=2)

    assert said.startswith("sonde: ")


@pytest.mark.slow
def test_a_tag_with_a_slip_of_the_pen_gets_the_right_one(project):
    write_project(project, PROJECT_FILE.replace('since = "v1"', 'since = "v2"'))

    assert "'v1'" in complaint(project, "measure", code=2)


def test_an_unknown_benchmark_and_an_unknown_option_get_the_nearest_names(project):
    assert "Did you mean 'work'?" in complaint(project, "measure", "-b", "wrok", code=2)
    assert "depth" in complaint(project, "measure", "-c", "detph=2", code=2)
    assert "1, 2" in complaint(project, "measure", "-c", "depth=7", code=2)


@pytest.mark.slow
def test_a_budget_that_is_none(project):
    assert "200" in complaint(project, "measure", "--budget", "much", code=2)


@pytest.mark.slow
def test_a_store_of_a_newer_schema(project):
    sonde(project, "measure", "HEAD^!")
    store = project / ".sonde" / "store.sqlite"
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()

    assert "schema 99" in complaint(project, "measure", "HEAD^!", code=3)
    assert "schema 99" in complaint(project, "show", "HEAD^!", code=3)


@pytest.mark.slow
def test_a_corrupt_store(project):
    (project / ".sonde").mkdir()
    (project / ".sonde" / "store.sqlite").write_bytes(b"nonsense" * 1000)

    said = complaint(project, "measure", "HEAD^!", code=3)

    assert "PROJECT/.sonde/store.sqlite: the store is damaged" in said
    assert (project / ".sonde" / "store.sqlite").read_bytes() == b"nonsense" * 1000


def test_outputs_that_are_missing_after_a_build_that_said_it_succeeded(project):
    write_project(project, PROJECT_FILE.replace('outputs = ["work"]', 'outputs = ["wrk"]'))

    answer = json.loads(sonde(project, "measure", "HEAD^!", "--json", codes=(3,)).stdout)

    reason = answer["points"][0]["failed"]["reason"]
    assert reason.startswith("The build reported success, but no file matches the output 'wrk'")
    assert "did you mean 'work'" in reason


def test_a_build_that_never_ends_is_ended_and_remembered(project):
    text = PROJECT_FILE.replace('"sh src/build.sh"', '"sleep 1000"\ntimeout = "1s"')
    write_project(project, text)

    answer = json.loads(sonde(project, "measure", "HEAD^!", "--json", codes=(3,)).stdout)

    assert answer["points"][0]["failed"]["reason"] == "The build did not end within 1 s."
    assert living(f"{project}/") == []


def test_a_benchmark_that_never_ends(project):
    write_project(project, benchmark(": {options}; sleep 1000 & sleep 1000", 'timeout = "1s"'))

    answer = json.loads(sonde(project, "measure", "HEAD^!", "--json", codes=(3,)).stdout)

    assert answer["points"][0]["failed"]["reason"] == "The benchmark did not end within 1 s."


@pytest.mark.slow
def test_a_benchmark_that_leaves_children_behind_is_measured_and_they_are_ended(project):
    mark = long_sleep(43)
    write_project(project, benchmark(f"(setsid sleep {mark} &) ; {{build}}/work {{options}}"))

    answer = json.loads(sonde(project, "measure", "HEAD^!", "--json").stdout)

    assert len(answer["points"][0]["samples"]) == 3
    assert living(mark) == []


@pytest.mark.slow
def test_a_benchmark_that_writes_a_gigabyte(project):
    write_project(
        project,
        benchmark("head -c 1000000000 /dev/zero; {build}/work {options}", "runs = 1").replace(
            "runs = 3\n", ""
        ),
    )

    answer = json.loads(sonde(project, "measure", "HEAD^!", "--json").stdout)

    assert len(answer["points"][0]["samples"]) == 1


def test_two_at_once_on_one_project(project):
    write_project(project, benchmark("sleep 1000; {build}/work {options}"))
    first = subprocess.Popen([*SONDE, "measure", "HEAD^!"], cwd=project, stdout=-3, stderr=-3)
    try:
        wait_until(lambda: (project / ".sonde" / "scratch" / "0").exists() or first.poll() is not None)
        assert first.poll() is None

        said = complaint(project, "measure", "HEAD^!", code=3)
        shown = sonde(project, "show", "HEAD^!").stdout
    finally:
        first.kill()
        first.wait()

    assert f"another Sonde (process {first.pid}, `sonde measure HEAD^!`) is working here since" in said
    assert "unknown" in shown


@pytest.mark.slow
def test_a_full_disk_loses_nothing(project):
    sonde(project, "measure", "HEAD^!")
    # The limit of a file's size stands in for the end of the disk.
    script = f"ulimit -f 40; exec {' '.join(SONDE)} measure"

    ended = subprocess.run(["bash", "-c", script], cwd=project, capture_output=True, text=True, check=False)

    assert ended.returncode == 3, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Everything stored so far is safe" in ended.stderr
    with open_store(project / ".sonde" / "store.sqlite") as store:
        assert len(list(store.query(SampleRecord, {}))) >= 3
    assert json.loads(sonde(project, "measure", "--json").stdout)["unknown"] == 0


def test_an_option_that_no_command_uses(project):
    write_project(project, PROJECT_FILE.replace(" {options}", ""))

    said = complaint(project, "measure", code=2)

    assert "fast" in said
    assert "{options}" in said
