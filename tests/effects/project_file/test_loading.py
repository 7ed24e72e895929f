"""What a project file becomes."""

import json
import tomllib
from pathlib import Path

import pytest

from sonde.core.errors import ProjectFileError
from sonde.core.options import Option, Phase
from sonde.core.results import Metric
from sonde.core.revisions import Span
from sonde.core.subject import Command, Server
from sonde.effects.project_file import load_project, schema

FILES = Path(__file__).parent / "files"

SMALL = """
[build]
outputs = ["packer"]
[benchmarks.pack]
command = "{build}/packer"
"""

LARGE = """
repository = "packer"
branch = "main"
order = "topological"
budget = 200
cache_limit = "500MB"
constraints = ["checksum implies algorithm = lz"]
[build]
command = [{ run = "make {options}", since = "v2" }, { run = "sh build.sh" }]
outputs = ["packer"]
inputs = ["src/**", "/Makefile", "!src/test.c"]
timeout = "10m"
network = true
sees_git = true
variables = { CC = "cc" }
[options.level]
levels = [1, 5, 9]
default = 5
words = "--level={value}"
[options.checksum]
words = "--checksum"
off_words = "--no-checksum"
since = "v1.2"
[options.algorithm]
values = ["lz", "rle"]
words = "--{value}"
[options.lto]
build = true
default = true
words = "LTO=1"
[benchmarks.pack]
command = "{build}/packer {options} corpus/text.txt"
inputs = ["corpus/**"]
[benchmarks.serve]
command = "{build}/client | grep time"
shell = true
setup = "true"
teardown = "rm -f log"
warmups = 1
server = { command = "{build}/server {options}", port = 8080, timeout = 5 }
stdin = "corpus/text.txt"
metric = "printed"
pattern = "time: ([0-9.]+)"
timeout = 1.5
exit_codes = [0, 3]
[environment]
variables = { LANG = "C" }
aslr = true
readable = ["/opt/data"]
writable = ["/var/tmp"]
label = "desk"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "packer").mkdir()
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "text.txt").write_text("text")
    return tmp_path


def write(folder, text, name="sonde.toml"):
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def complaint(start):
    with pytest.raises(ProjectFileError) as caught:
        load_project(start)
    return str(caught.value)


def test_a_small_file_gets_defaults(folder):
    write(folder, SMALL)

    project = load_project(folder)

    assert project.repository == project.root == folder
    assert project.state == folder / ".sonde"
    assert (project.budget, project.cache_limit_bytes) == ("", 2 * 10**9)
    assert (project.subject.branch, project.subject.first_parent) == ("", True)
    assert project.subject.build.commands == (Command(""),)
    assert project.subject.build.inputs == ("**",)
    assert project.subject.benchmarks[0].metric is Metric.INSTRUCTIONS
    assert project.subject.benchmarks[0].runs == 2
    assert str(project.space.default) == ""


def test_every_key_reaches_the_subject(folder):
    project = load_project(write(folder, LARGE))
    subject = project.subject

    assert project.repository == folder / "packer"
    assert (project.budget, project.cache_limit_bytes) == ("200", 500 * 10**6)
    assert (subject.branch, subject.first_parent) == ("main", False)
    assert subject.build.commands == (Command("make {options}", Span("v2", "")), Command("sh build.sh"))
    assert (subject.build.timeout_seconds, subject.build.network, subject.build.sees_git) == (
        600.0,
        True,
        True,
    )
    assert subject.build.variables == (("CC", "cc"),)
    assert subject.options == (
        Option("level", (1, 5, 9), 5, words="--level={value}"),
        Option(
            "checksum",
            (False, True),
            False,
            words="--checksum",
            off_words="--no-checksum",
            span=Span("v1.2", ""),
        ),
        Option("algorithm", ("lz", "rle"), "lz", words="--{value}"),
        Option("lto", (False, True), True, words="LTO=1", phase=Phase.BUILD),
    )
    serve = subject.benchmark["serve"]
    assert (serve.metric, serve.runs, serve.pattern) == (Metric.PRINTED, 5, "time: ([0-9.]+)")
    assert (serve.shell, serve.setup, serve.teardown, serve.warmups) == (True, "true", "rm -f log", 1)
    assert serve.server == Server("{build}/server {options}", 8080, 5.0)
    assert (serve.stdin, serve.timeout_seconds, serve.exit_codes) == ("corpus/text.txt", 1.5, (0, 3))
    assert subject.surroundings.variables == (("LANG", "C"),)
    assert (subject.surroundings.aslr, subject.surroundings.label) == (True, "desk")
    assert (subject.surroundings.readable, subject.surroundings.writable) == (("/opt/data",), ("/var/tmp",))
    assert project.space.broken(project.space.default) == ()
    assert len(list(project.space.configurations())) == 18


def test_the_file_is_found_from_a_folder_below(folder):
    write(folder, SMALL)
    below = folder / "a" / "b"
    below.mkdir(parents=True)

    assert load_project(below).file == folder / "sonde.toml"


def test_the_table_of_a_pyproject_counts_as_a_project_file(folder):
    text = "[project]\nname = 'x'\n" + SMALL.replace("[build]", "[tool.sonde.build]").replace(
        "[benchmarks", "[tool.sonde.benchmarks"
    )
    write(folder, text, "pyproject.toml")

    assert load_project(folder).file.name == "pyproject.toml"
    assert load_project(folder / "pyproject.toml").subject.build.outputs == ("packer",)


def test_mistakes_in_a_pyproject_have_its_lines(folder, monkeypatch):
    monkeypatch.chdir(folder)
    write(folder, "[project]\nname = 'x'\n[tool.sonde]\nbranhc = 'x'\n", "pyproject.toml")

    assert "  pyproject.toml:4: branhc is not a known key. Did you mean 'branch'?" in complaint(folder)


@pytest.mark.parametrize("place", ['command = "{build}/packer', 'outputs = ["packer', '[benchmarks."pack'])
def test_no_text_holds_a_character_that_ends_it_for_the_system(folder, place):
    (folder / "sonde.toml").write_text(
        SMALL.replace("[benchmarks.pack", '[benchmarks."pack"').replace(place, f"{place}\\u0000")
    )

    with pytest.raises(ProjectFileError, match=r"U\+0000"):
        load_project(folder)


def test_someone_elses_pyproject_does_not_stop_the_search(folder):
    write(folder, SMALL)
    below = folder / "below"
    below.mkdir()
    write(below, "this is [not TOML", "pyproject.toml")

    assert load_project(below).root == folder


def test_without_a_file_one_is_told_to_make_one(tmp_path):
    assert complaint(tmp_path) == (
        f"there is no sonde.toml in {tmp_path} or above it, nor a pyproject.toml with [tool.sonde]. "
        "Run 'sonde init' in the folder of the project."
    )
    assert complaint(tmp_path / "gone") == (
        f"{tmp_path / 'gone'} does not exist. Name a folder with a sonde.toml, or the file itself."
    )


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(folder):
    (folder / "sonde.toml").write_bytes(b"\xef\xbb\xbf" + LARGE.replace("\n", "\r\n").encode())

    assert load_project(folder).subject.branch == "main"


def test_a_file_that_is_not_text_is_told_so(folder):
    (folder / "sonde.toml").write_bytes(b"branch = '\xff'")

    assert complaint(folder) == f"{folder / 'sonde.toml'} is not UTF-8 text (byte 10). Save it as UTF-8."


@pytest.mark.parametrize("name", ["every_mistake", "every_misfit"])
def test_every_mistake_is_told_at_once(folder, golden, monkeypatch, name):
    monkeypatch.chdir(folder)
    write(folder, (FILES / f"{name}.toml").read_text(encoding="utf-8"))

    golden(f"project_file/{name}.txt", complaint(folder).replace(str(folder), "FOLDER") + "\n")


def test_what_is_not_toml_is_shown_with_its_line(folder, golden, monkeypatch):
    monkeypatch.chdir(folder)
    texts = [
        "branch = main\n",
        "[build]\nx = 1\n[build]\n",
        "a = [1,\n",
        'a = "x\nb = 1\n',
        "a = 1\na = 2\n",
        "é = 1\n",
        'a = "\\d"\nb = 1\n',
    ]
    told = [complaint(write(folder, text)) for text in texts]

    golden("project_file/syntax.txt", "\n\n".join(told) + "\n")


@pytest.mark.parametrize(
    "text", ["", "budget = 1\n", "[options]\n", "[benchmarks]\n", "build = 1\nbenchmarks = []\n"]
)
def test_a_file_with_next_to_nothing_is_told_what_it_needs(folder, text):
    told = complaint(write(folder, text))

    assert "build" in told
    assert "benchmark" in told


def test_a_broken_option_is_not_told_again_where_it_is_used(folder):
    write(
        folder,
        'constraints = ["level = 5"]\n[build]\noutputs = ["x"]\n[options.level]\nlevels = [1, "5"]\n'
        '[benchmarks.pack]\ncommand = "{build}/x {level}"\n',
    )

    assert complaint(folder).splitlines()[0].endswith("has 1 mistake:")


def test_the_schema_is_that_of_the_models(golden):
    golden("project_file/schema.json", json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


def test_the_example_of_the_documentation_has_no_mistakes(folder):
    page = (Path(__file__).parents[3] / "docs" / "project-file.md").read_text(encoding="utf-8")
    example = page.split("```toml\n")[1].split("```")[0]

    project = load_project(write(folder, example))

    assert [benchmark.name for benchmark in project.subject.benchmarks] == [
        "pack-text",
        "throughput",
        "serve",
    ]
    assert set(schema()["properties"]) == set(project_keys(example))


def project_keys(text):
    return {key.split(".")[0] for key in tomllib.loads(text)}
