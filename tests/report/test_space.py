"""A space as text and as JSON."""

import json

from sonde.core.options import Configuration, Option, Phase
from sonde.core.revisions import Span
from sonde.report.project_health import project_health_json, project_health_text
from sonde.report.space import Sampled, SpaceOverview, space_json, space_text
from sonde.space.counting import count
from sonde.space.leeway import ALL_LEEWAY, leeway_of
from sonde.space.space import Space

SWITCH = (False, True)

PACKER = Space.of(
    (
        Option("checksum", SWITCH, False, words="--checksum", off_words="--no-checksum"),
        Option("algorithm", ("lz", "rle"), "lz", words="--{value}"),
        Option("level", (1, 5, 9), 5, words="--level={value}"),
        Option("threads", (1, 2), 1, environment="PACKER_THREADS", span=Span("v1.1", "v2.0")),
        Option("assertions", SWITCH, False, words="ASSERT=1", phase=Phase.BUILD),
        Option("legacy", SWITCH, False, words="--legacy"),
        Option("fast", SWITCH, True, words="--fast"),
    ),
    ("checksum implies algorithm = lz", "level != 9", "not legacy", "fast or legacy", "threads = 1"),
)


def overview(space, sample=None):
    return SpaceOverview(space, count(space, 10.0), leeway_of(space), sample)


def sampled(*texts):
    return Sampled("pair-wise", tuple(PACKER.parse(text) for text in texts))


def test_a_space_is_told_in_full(golden):
    golden("report/space.txt", space_text(overview(PACKER, sampled("default", "checksum,level=1"))) + "\n")


def test_a_space_is_told_as_data(golden):
    data = space_json(overview(PACKER, sampled("default")))

    golden("report/space.json", json.dumps(data, indent=2) + "\n")


def test_a_space_without_anything_valid_tells_the_conflict(golden):
    options = (Option("a", SWITCH, False), Option("b", SWITCH, False), Option("c", SWITCH, False))
    space = Space.of(options, ("a", "c or a", "a implies b", "b excludes a"))

    golden("report/space-conflict.txt", space_text(overview(space)) + "\n")


def test_a_wide_sample_tells_what_differs(golden):
    names = [f"option-with-a-long-name-{at}" for at in range(8)]
    space = Space(tuple(Option(name, SWITCH, False) for name in names))
    chosen = Configuration.of({name: at % 3 == 0 for at, name in enumerate(names)})

    golden(
        "report/space-wide.txt",
        space_text(overview(space, Sampled("uniform", (chosen, space.default)))) + "\n",
    )


def test_a_space_without_options_is_told():
    assert space_text(overview(Space(()))).startswith("There are no options.\n\nThere are no constraints.")


def test_a_project_is_told_with_its_mistakes_or_its_leeway():
    assert (
        project_health_text("sonde.toml", "", ALL_LEEWAY)
        == "Project sonde.toml:\nEvery option can have more than one value."
    )
    assert project_health_text("sonde.toml", "it has 1 mistake", ALL_LEEWAY).endswith("it has 1 mistake")
    assert "Never on (dead): legacy." in project_health_text("sonde.toml", "", leeway_of(PACKER))
    assert project_health_json("sonde.toml", "", leeway_of(PACKER))["always_on"] == ["fast"]
