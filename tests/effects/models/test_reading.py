"""Files of any kind: models are read, and everything else is an error in words."""

import os

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sonde.core.errors import UserError
from sonde.effects.models import ModelError, read_model
from tests.effects.models.spaces import PACKER_DIMACS, PACKER_UVL, PACKER_XML

ONE_FOLDER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60
)


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.xml", PACKER_XML, 9),
        ("a.txt", PACKER_XML, 9),
        ("a.dimacs", PACKER_DIMACS, 4),
        ("a.model", PACKER_DIMACS, 4),
        ("a.uvl", PACKER_UVL, 15),
        ("a", PACKER_UVL, 15),
    ],
)
def test_the_content_tells_the_format(tmp_path, name, text, options):
    (tmp_path / name).write_text(text, encoding="utf-8")
    space = read_model(tmp_path / name)

    assert len(space.options) == options
    assert space.is_valid(space.every_default)


def test_a_model_without_a_valid_configuration_is_read(tmp_path):
    (tmp_path / "a.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    space = read_model(tmp_path / "a.cnf")

    assert [str(constraint) for constraint in space.conflict()] == ["x1", "not x1"]


def test_files_that_are_no_models_are_told_in_words(tmp_path, golden, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = type(tmp_path)()
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "empty").write_bytes(b" \n")
    (folder / "latin").write_bytes(b"<vm>\n\xe4</vm>")
    (folder / "zeros").write_bytes(bytes(1000))
    with (folder / "many-zeros").open("wb") as opened:
        opened.truncate(100 * 10**6)
    (folder / "prose").write_text("Dear reader,\n")
    (folder / "prose.xml").write_text("Dear reader,\n")
    messages = []
    for name in (
        "folder",
        "pipe",
        "empty",
        "latin",
        "zeros",
        "many-zeros",
        "prose",
        "prose.xml",
        "missing",
        "a\0b",
    ):
        with pytest.raises(ModelError) as caught:
            read_model(folder / name)
        messages.append(f"{caught.value}\n")

    golden("models/no-models.txt", "".join(messages))


def attempt(file, content):
    file.write_bytes(content)
    try:
        space = read_model(file)
    except UserError:
        return
    assert space.options


@given(content=st.binary(max_size=200))
@ONE_FOLDER
def test_no_bytes_make_a_reader_crash(tmp_path, content):
    for name in ("a.xml", "a.dimacs", "a.uvl"):
        attempt(tmp_path / name, content)


@pytest.mark.parametrize("text", [PACKER_XML, PACKER_DIMACS, PACKER_UVL], ids=["xml", "dimacs", "uvl"])
@given(data=st.data())
@ONE_FOLDER
def test_no_change_of_a_model_makes_its_reader_crash(tmp_path, text, data):
    content = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.sampled_from([0, 1, 2, 10, 200]))
        content[at : at + length] = data.draw(
            st.binary(max_size=6)
            | st.sampled_from([b"<", b"&", b"\n", b"0", b"-", b"99", b"(", b"]]>", b"<!--", b"    ", b"root"])
            | st.just(bytes(content[at : at + 80]))
        )
        content = content or bytearray(b" ")
    attempt(tmp_path / "model", bytes(content))


@given(text=st.text(alphabet="abc!&|()=><-+*/[]1290. log", max_size=40))
@example(text="a" + "<=>a" * 500)
@example(text="-" * 5000 + "a = 1")
@ONE_FOLDER
def test_no_constraint_makes_a_reader_crash(tmp_path, text):
    written = text.replace("&", "&amp;").replace("<", "&lt;")
    options = "".join(
        f"<configurationOption><name>{name}</name><optional>True</optional></configurationOption>"
        for name in "abc"
    )
    for section in ("booleanConstraints", "mixedConstraints"):
        model = (
            f"<vm><binaryOptions>{options}</binaryOptions>"
            f"<{section}><constraint>{written}</constraint></{section}></vm>"
        )
        attempt(tmp_path / "model.xml", model.encode())
    attempt(
        tmp_path / "model.uvl",
        f"features\n    a\n        optional\n            b\nconstraints\n    {text}\n".encode(),
    )
