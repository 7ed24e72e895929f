"""`sonde space`, `sonde init --model` and `sonde doctor` on the command line."""

import json

import pytest
from typer.testing import CliRunner

from sonde.cli.app import app
from sonde.core.errors import ProjectFileError, UsageError, UserError
from sonde.workflows.doctor import examine_project
from tests.effects.models.spaces import PACKER_DIMACS, PACKER_UVL, PACKER_XML

PROJECT = """
constraints = ["checksum implies level >= 5", "not legacy"]
[build]
outputs = ["packer"]
[options.checksum]
words = "--checksum"
[options.legacy]
words = "--legacy"
[options.level]
levels = [1, 5, 9]
words = "--level={value}"
[benchmarks.pack]
command = "{build}/packer {options}"
"""

CONTRADICTION = PROJECT.replace('"not legacy"', '"legacy", "not legacy or checksum", "not checksum"')


def run(*arguments):
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sonde.toml").write_text(PROJECT)
    (tmp_path / "model.xml").write_text(PACKER_XML)
    (tmp_path / "model.uvl").write_text(PACKER_UVL)
    (tmp_path / "model.dimacs").write_text(PACKER_DIMACS)
    (tmp_path / "configurations.csv").write_text("configuration,a,b\n0,0,1\n1,1,0\n")
    return tmp_path


def test_help_reads_as_it_should(golden, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")

    golden(
        "cli/help-space.txt", "\n".join(line.rstrip() for line in run("space", "--help").splitlines()) + "\n"
    )


def test_the_space_of_a_project_is_printed(folder, golden):
    golden("cli/space.txt", run("space", "--project", str(folder), "--sample", "pair-wise"))


def test_the_space_of_a_model_is_printed(folder, golden):
    golden(
        "cli/space-model.txt", run("space", "--model", str(folder / "model.xml"), "--sample", "option-wise")
    )


@pytest.mark.parametrize(
    ("name", "number"), [("model.uvl", 140), ("model.dimacs", 6), ("configurations.csv", 2)]
)
def test_every_kind_of_model_is_counted(folder, name, number):
    data = json.loads(run("space", "--model", str(folder / name), "--json"))

    assert data["valid"]["number"] == number
    assert data["valid"]["is_exact"]
    assert data["sample"] is None


@pytest.mark.parametrize(
    ("kind", "further"),
    [
        ("option-wise", ()),
        ("negative-option-wise", ()),
        ("pair-wise", ()),
        ("t-wise", ("--strength", "3")),
        ("plackett-burman", ("--levels", "3")),
        ("uniform", ("--count", "4", "--seed", "7")),
        ("distance-based", ("--count", "4")),
        ("keep-term", ("--options", "checksum,level=5", "--count", "2")),
        ("vary-term", ("--options", "checksum", "--count", "1")),
        ("reduced-set", ("--options", "checksum,level")),
    ],
)
def test_every_kind_of_sample_is_valid_and_repeatable(folder, kind, further):
    arguments = ("space", "--project", str(folder), "--sample", kind, *further, "--json")
    found = json.loads(run(*arguments))["sample"]

    assert found["kind"] == kind
    assert found["configurations"]
    assert all(not each["legacy"] for each in found["configurations"])
    assert all(each["level"] >= 5 or not each["checksum"] for each in found["configurations"])
    assert found == json.loads(run(*arguments))["sample"]


@pytest.mark.parametrize(
    "further",
    [("--sample", "pairwise"), ("--sample", "keep-term"), ("--sample", "reduced-set", "--options", "zz")],
)
def test_wishes_that_do_not_fit_are_errors(folder, further):
    with pytest.raises(UserError):
        run("space", "--project", str(folder), *further)


def test_nothing_can_be_sampled_where_nothing_is_valid(tmp_path):
    (tmp_path / "a.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    with pytest.raises(UsageError, match="nothing to sample"):
        run("space", "--model", str(tmp_path / "a.cnf"), "--sample", "uniform")


def test_contradicting_constraints_of_a_project_are_named(tmp_path, golden, monkeypatch):
    (tmp_path / "sonde.toml").write_text(CONTRADICTION)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProjectFileError) as caught:
        run("space")

    golden("cli/contradiction.txt", f"{caught.value}\n")


def test_the_doctor_names_dead_options(folder):
    health = examine_project(folder)

    assert health is not None
    assert health.leeway.dead == ("legacy",)
    assert not health.mistakes


def test_the_doctor_tells_mistakes_and_goes_on(tmp_path):
    (tmp_path / "sonde.toml").write_text(CONTRADICTION)
    health = examine_project(tmp_path)

    assert health is not None
    assert "cannot hold together" in health.mistakes


def test_the_doctor_needs_no_project(tmp_path):
    assert examine_project(tmp_path) is None
