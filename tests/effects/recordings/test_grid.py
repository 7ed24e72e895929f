"""The points of a recording by revision and configuration."""

from __future__ import annotations

import pytest

from sonde.core.errors import UserError
from sonde.core.options import Configuration
from sonde.effects.recordings.grid import read_grid
from sonde.effects.recordings.open_space import read_open_space

POINTS = "revision,configuration,value\n7,x,2\n5,x,1\n7,y,3\n9,y,\n"
CONFIGURATIONS = "configuration,a,level\nx,0,1\ny,1,5\nz,1,1\n"
MODEL = """<vm name="packer"><binaryOptions>
<configurationOption><name>root</name><optional>False</optional></configurationOption>
<configurationOption><name>a</name><parent>root</parent><optional>True</optional></configurationOption>
<configurationOption><name>b</name><parent>root</parent><optional>True</optional></configurationOption>
</binaryOptions><numericOptions /><booleanConstraints>
<constraint>a | b</constraint><constraint>!a | !b</constraint>
</booleanConstraints></vm>"""


def write(folder, **files):
    for name, text in files.items():
        (folder / {"model": "feature-model.xml"}.get(name, f"{name}.csv")).write_text(text)
    return folder


def complaint(folder, benchmark=""):
    with pytest.raises(UserError) as raised:
        read_grid(folder, benchmark)
    return str(raised.value)


def test_points_are_found_by_their_configuration(tmp_path):
    grid = read_grid(write(tmp_path, points=POINTS, configurations=CONFIGURATIONS))

    assert grid.revisions == (5, 7)
    assert grid.values == {"x": {5: 1.0, 7: 2.0}, "y": {7: 3.0}}
    assert grid.left_out == 1
    assert grid.configurations.configurations == {
        "x": Configuration.of({"a": False, "level": 1}),
        "y": Configuration.of({"a": True, "level": 5}),
    }
    assert set(grid.configurations.space().configurations()) == set(
        grid.configurations.configurations.values()
    )


def test_mistakes_are_told_in_a_sentence(tmp_path):
    write(tmp_path, points=POINTS)
    assert "there is no configurations.csv" in complaint(tmp_path)
    write(tmp_path, points="revision,value\n1,2\n", configurations=CONFIGURATIONS)
    assert "no column 'configuration'" in complaint(tmp_path)
    write(tmp_path, points=POINTS + "1,unknown,2\n")
    assert "configuration 'unknown' has points, but is not listed" in complaint(tmp_path)
    write(tmp_path, points=POINTS, configurations="configuration,a,level\nx,0,1\ny,0,1\n")
    assert "configurations 'x' and 'y' have the same options" in complaint(tmp_path)
    write(tmp_path, points=POINTS, configurations=CONFIGURATIONS)
    assert "no benchmark 'pack'. It has only one, without a name" in complaint(tmp_path, "pack")


def test_without_a_model_every_combination_is_open(tmp_path):
    grid = read_grid(write(tmp_path, points=POINTS, configurations=CONFIGURATIONS))
    opened = read_open_space(tmp_path, grid.configurations)

    assert len(list(opened.space.configurations())) == 4
    assert opened.configurations == grid.configurations.configurations


@pytest.mark.parametrize(
    ("rows", "valid", "refuted"),
    [("x,0,1\ny,1,0\n", 2, []), ("x,0,0\ny,1,0\n", 3, ["a or b"]), ("x,1,1\ny,0,0\n", 4, None)],
)
def test_a_model_opens_what_it_allows_unless_the_recording_proves_it_wrong(tmp_path, rows, valid, refuted):
    write(tmp_path, points="revision,configuration,value\n1,x,2\n1,y,2\n", model=MODEL)
    grid = read_grid(write(tmp_path, configurations=f"configuration,a,b\n{rows}"))
    opened = read_open_space(tmp_path, grid.configurations)

    assert len(list(opened.space.configurations())) == valid
    assert set(opened.space.option) == {"root", "a", "b"}
    assert all(opened.space.is_valid(each) for each in opened.configurations.values())
    assert len(opened.refuted) == (2 if refuted is None else len(refuted))
    if refuted is not None:
        assert [str(constraint) for constraint in opened.refuted] == refuted


def test_a_model_that_lacks_an_option_is_passed_over(tmp_path):
    write(tmp_path, points=POINTS, configurations=CONFIGURATIONS, model=MODEL)
    opened = read_open_space(tmp_path, read_grid(tmp_path).configurations)

    assert set(opened.space.option) == {"a", "level"}
